import type pg from 'pg';
import type { RunningService } from '../processes.js';
import type { Meter, Usage } from './meter.js';

/** What one unit of the service's work costs. */
export interface Cost extends Usage {
  what: string;
  /** From the client to the service, and back; null where nothing is sent. Without TLS. */
  bytes: { in: number; out: number } | null;
  /** Of the processor time; null for what is measured once, or costs too little to tell. */
  spread: number | null;
}

/** A running service, with what measures it. */
export interface Subject {
  service: RunningService;
  database: pg.Client;
  meter: Meter;
  progress: (step: string) => void;
}
