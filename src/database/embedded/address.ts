import type pg from 'pg';
import { superuser } from './cluster.js';
import type { Endpoint } from './postmaster.js';

/** The service's database in the cluster. */
export const database = 'booking';

/** How the service reaches its database. */
export function connectionString({ host, port }: Endpoint, password: string): string {
  return `postgres://${superuser}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** How to reach the database that every cluster has: the lock is kept there. */
export function maintenanceConnection({ host, port }: Endpoint, password: string): pg.ClientConfig {
  return { host, port, user: superuser, password, database: 'postgres', ssl: false };
}
