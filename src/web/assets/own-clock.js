import { showOwnClock } from '../browser/own-clock.js';

showOwnClock(document);
