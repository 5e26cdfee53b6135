import type { DatabaseServices } from '../database/services.js';
import type { ApiKeyDirectory } from './api-key-directory.js';
import type { PlatformDirectory } from './platform-directory.js';
import type { LimitStore } from './stores/store.js';

/** The services that identify and limit callers. */
export interface AccessServices extends DatabaseServices {
  apiKeys: ApiKeyDirectory;
  platforms: PlatformDirectory;
  limitStore: LimitStore;
}
