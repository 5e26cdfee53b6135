import type { RecordedBookingRow } from './schema.js';

type Snapshot = {
  [Column in keyof RecordedBookingRow]: RecordedBookingRow[Column] extends Date
    ? string
    : RecordedBookingRow[Column] extends Date | null
      ? string | null
      : RecordedBookingRow[Column];
};

type Optional = 'ends_at_text' | 'artist_id' | 'artist_name';

/**
 * The public columns of a booking in the data of an event row: in JSON, instants are text. Events before
 * 2.9.0 have no end, and those of a studio of one artist have no artist.
 */
export type BookingSnapshot = Omit<Snapshot, Optional> & Partial<Pick<Snapshot, Optional>>;

/** A snapshot with what the mails of a change need; absent from the events of version 2.2.0. */
export interface ChangeSnapshot extends BookingSnapshot {
  sequence?: number;
  /** Who changed the booking; `service`: newer data of its time zone. */
  by?: 'person' | 'studio' | 'service';
  /**
   * Seconds from sending the code to typing it; absent if there was none, or its sending was not
   * recorded.
   */
  code_typed_after_seconds?: number;
}

type SlotSnapshot = Pick<BookingSnapshot, 'date' | 'time_slot'> & {
  starts_at: string;
  /** Both are absent where there was one artist. */
  artist_id?: number;
  artist_name?: string;
};

/** The data of an event of a booking that keeps its slot (`ChangeInSlot`). */
interface ChangeInSlotSnapshot extends ChangeSnapshot {
  /** Whether the change is not worth a mail to the person. */
  is_quiet?: boolean;
  /** Whether the studio's words (`studio_word`) are about it. */
  has_word?: boolean;
}

/** The data of `booking.moved`. */
export interface MoveSnapshot extends ChangeSnapshot {
  from: SlotSnapshot;
  to: SlotSnapshot;
  /** Whether the studio's words (`studio_word`) are about it. */
  has_word?: boolean;
}

/** The data of any event that mails are made of. */
export type MailEventSnapshot = ChangeInSlotSnapshot &
  Partial<Pick<MoveSnapshot, 'from' | 'to'>> & {
    /**
     * The ids of all sessions that a closure left undecided, in the `booking.conflict` of the first one.
     */
    left_undecided?: string[];
  };
