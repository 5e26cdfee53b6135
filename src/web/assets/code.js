/** The page where a code for a session is typed: a code that is pasted is sent at once. */

import { sendFilledCode } from '../browser/filled-code.js';

sendFilledCode();
