import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

/**
 * Preloaded into a process: writes the addresses of the scripts that it has loaded, one a line, to the
 * file LOADED_SCRIPTS when it ends. The debugger knows them all, however they were imported.
 */
const file = process.env['LOADED_SCRIPTS'];
if (file !== undefined) {
  const loaded: string[] = [];
  const session = new Session();
  session.connect();
  session.on('Debugger.scriptParsed', ({ params }) => loaded.push(params.url));
  session.post('Debugger.enable');
  process.once('exit', () => writeFileSync(file, loaded.join('\n')));
}
