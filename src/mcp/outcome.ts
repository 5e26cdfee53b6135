/** The result of `tools/call`, the same in every protocol version. */
export interface ToolResult {
  [member: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
  /** Left to the protocol version, which may add it to the serialized result. */
  _meta?: never;
}

/** A result, with its JSON for the protocol that sends it as text. */
export interface Outcome {
  result: ToolResult;
  /** The result as JSON, serialized once. */
  json: () => string;
}

/** `data` is what the REST operation returns; `message` is a sentence for the person. */
export function toolSuccess(data: object, message?: string): Outcome {
  const texts = [JSON.stringify(data), ...(message === undefined ? [] : [message])];
  return outcome({
    content: texts.map((text) => ({ type: 'text', text })),
    structuredContent: data as Record<string, unknown>,
  });
}

/** `body` is the error envelope. */
export function toolError(body: object): Outcome {
  return outcome({ content: [{ type: 'text', text: JSON.stringify(body) }], isError: true });
}

function outcome(result: ToolResult): Outcome {
  let json: string | undefined;
  return { result, json: () => (json ??= JSON.stringify(result)) };
}
