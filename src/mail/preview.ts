import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exampleMails, type ExampleSettings } from './examples.js';
import { renderMail } from './render.js';

/**
 * Writes an example of every mail as files: `.html`, `.txt` with the subject, and `.ics` if it has a
 * calendar part. Creates the folder; replaces files of the same names.
 *
 * @returns their paths
 */
export async function writePreviews(folder: string, settings: ExampleSettings): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const { name, facts } of exampleMails(settings)) {
    const { subject, html, text, calendar } = await renderMail(facts);
    const files = {
      html,
      txt: `Subject: ${subject}\n\n${text}`,
      ...(calendar !== null && { ics: calendar.content }),
    };
    for (const [extension, content] of Object.entries(files)) {
      const path = join(folder, `${name}.${extension}`);
      await writeFile(path, content);
      paths.push(path);
    }
  }
  return paths;
}
