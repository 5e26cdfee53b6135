/** The result of `tools/call`, the same in both eras of the protocol. */
export interface ToolResult {
  [member: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

/** What a call came to. */
export interface Outcome {
  result: ToolResult;
  /** The result as JSON, made once. */
  json: () => string;
}

/** `data` is that of the REST operation of the same purpose; `tell` a sentence for the person. */
export function answered(data: object, tell?: string): Outcome {
  const texts = [JSON.stringify(data), ...(tell === undefined ? [] : [tell])];
  return outcome({
    content: texts.map((text) => ({ type: 'text', text })),
    structuredContent: data as Record<string, unknown>,
  });
}

/** `body` is the error envelope. */
export function refused(body: object): Outcome {
  return outcome({ content: [{ type: 'text', text: JSON.stringify(body) }], isError: true });
}

function outcome(result: ToolResult): Outcome {
  let json: string | undefined;
  return { result, json: () => (json ??= JSON.stringify(result)) };
}
