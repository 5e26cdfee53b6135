/** Every shape of the interface, by its name in openapi.yaml. */
export type * from '../../generated/client.js';
