/** What a check of doctor found. */
export interface Finding {
  status: 'ok' | 'warning' | 'failure';
  /** What was found and, unless `ok`, how to repair it. */
  message: string;
}
