import type { DatabaseServices } from '../database/services.js';
import type { ApiKeyDirectory } from './api-key-directory.js';
import type { LimitStore } from './stores/store.js';

/** What identifies and limits callers, and what is below it. */
export interface AccessServices extends DatabaseServices {
  apiKeys: ApiKeyDirectory;
  /** Counts requests against the budgets of callers. */
  limitStore: LimitStore;
}
