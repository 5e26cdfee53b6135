/** The modules of a service in one, which loads while the embedded database starts. */
export { createApp } from './app.js';
export { startBackground } from './background.js';
export { registerBoardMetrics } from './board/pulse.js';
export { closeContext, createContext, openContext } from './context.js';
export { checkKeyring, openKeyring } from './database/installation-key.js';
export { registerPoolMetrics } from './database/pool.js';
export { retryLockTimeouts } from './database/lock-retries.js';
export { migrateToLatest } from './database/migrate.js';
export { seedExampleStudio } from './database/seed.js';
export { adoptMode } from './domain/studio/mode.js';
export { recordPublicBaseUrl } from './repositories/installation.js';
export { resealCalendarAddresses } from './domain/studio/calendar-address.js';
export { registerPlatformMetrics } from './domain/booking/caps.js';
export { resealSigningSecrets } from './domain/webhooks.js';
export { listHindrances } from './domain/studio/ready-for-others.js';
export { followZoneData } from './domain/studio/zone-data.js';
export { listen } from './web/listen.js';
