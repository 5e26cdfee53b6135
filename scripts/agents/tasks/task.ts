import type { Scene } from '../scene.js';

/** Throws where the agent does not succeed, with the reason. */
export interface Task {
  /** Heads a column of the table. */
  name: string;
  run(scene: Scene): Promise<void>;
}
