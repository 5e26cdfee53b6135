export async function validation(): Promise<string> { return ''; }
