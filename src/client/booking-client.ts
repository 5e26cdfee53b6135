import type { Client } from 'openapi-fetch';
import type { paths } from '../../generated/client.js';

/** One typed method per HTTP method: `client.GET('/api/public/studio')`. */
export type BookingClient = Client<paths, 'application/json'>;
