/** The result of `tools/call`, the same in every protocol version. */
export interface ToolResult {
  [member: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
  /** Left to the protocol version. */
  _meta?: never;
}

/** `data` is what the REST operation returns; `message` is a sentence for the person. */
export function toolSuccess(data: object, message?: string): ToolResult {
  const texts = [JSON.stringify(data), ...(message === undefined ? [] : [message])];
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    structuredContent: data as Record<string, unknown>,
  };
}

/** `body` is the error envelope. */
export function toolError(body: object): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true };
}
