import type { FastifyReply } from 'fastify';
import type { BookingRow } from '../../database/rows/schema.js';
import type { DomainServices } from '../../domain/deps.js';
import { moveByStudio, type SlotRefusal } from '../../domain/studio/bookings.js';
import { findStudioSlot, readStudioDays, type StudioSlot } from '../../domain/studio/days.js';
import { personName } from '../../domain/studio/words.js';
import { type Artist, choosableArtists } from '../../schedule/artists.js';
import { isLive, isSameSlot, type Slot, slotOf } from '../../schedule/slots.js';
import {
  formRefused,
  type PageScope,
  query,
  readSlot,
  readSlotKey,
  text,
} from '../../web/forms.js';
import { findBySlug } from '../artist-choice.js';
import { idInPath, type Outcome } from '../console-page.js';
import { wordMistakeOf } from '../hours/decision-fields.js';
import { doneInSlot } from '../links.js';
import { actorOf } from '../session.js';
import { readRecord, refuseJob, seeChanged } from './booking-page.js';
import { readAgreed, readSeen } from './fields.js';
import { isFree, isShownTo } from './free-times.js';
import { AskMove, type AskMoveProps, MovePage, moveSchema, type TypedSlot } from './move-page.js';
import { askStudio, needsCorrecting, noSlotChosen, refusals, slotRefused } from './words.js';

const url = '/console/bookings/:id/move';

/** The days on the page of a move; any other date can be typed. */
const daysShown = 15;

/** A slot, and its artist as the address or the form names them: '' is whoever is free. */
interface Chosen {
  slot: Slot;
  artist: string | undefined;
}

/** `/console/bookings/:id/move`: the free slots of the coming days; with one chosen, the question. */
export function registerMoving(scope: PageScope, context: DomainServices): void {
  const chosen = query({ slot: text, date: text, time_slot: text, artist: text });
  scope.get(url, { schema: { ...idInPath, ...chosen } }, ({ params: { id }, query }, reply) => {
    const { slot: key, ...typed } = query;
    if (key === undefined && typed.date === undefined) return showTimes(reply, id, typed);
    const slot = key === undefined ? readSlot(typed) : readSlotKey(key);
    return slot === null
      ? showTimes(reply, id, typed, { status: 200, trouble: noSlotChosen })
      : ask(reply, id, { slot, artist: typed.artist });
  });

  scope.post(url, { schema: { ...idInPath, ...moveSchema } }, async (request, reply) => {
    const { body } = request;
    const { id } = request.params;
    const slot = readSlotKey(body.slot);
    if (slot === null) return showTimes(reply, id, {}, { status: 400, trouble: noSlotChosen });
    const to = { slot, artist: body.artist };
    const word = body.word?.trim() ?? '';
    const wordMistake = wordMistakeOf(word);
    if (wordMistake !== undefined) {
      const outcome = { status: 400, trouble: needsCorrecting };
      return ask(reply, id, to, { word, wordMistake }, outcome);
    }
    const own = request.consoleArtist;
    const artist = findBySlug(await context.board.read(), body.artist);
    if (artist === null && body.artist !== undefined) throw formRefused();
    const place = { ...slot, artistId: artist?.id ?? own?.id ?? null };
    const moved = await moveByStudio(context, actorOf(request), id, place, {
      ...readSeen(body),
      word: word || null,
      agreed: readAgreed(context, body),
      ownId: own?.id,
    });
    switch (moved.outcome) {
      case 'moved': {
        const done = body.undo === 'yes' ? 'undone' : doneInSlot('moved', moved.schedule);
        return seeChanged(context, reply, done, moved.booking);
      }
      case 'not_found':
      case 'not_live':
        return refuseJob(context, reply, id, moved.outcome);
      case 'elsewhere': {
        const { agreed, outcome } = askStudio(context, request, moved);
        return ask(reply, id, to, { word, agreed }, outcome);
      }
      case 'changed':
        return ask(reply, id, to, { word }, { trouble: refusals.changed });
      default:
        return refuseSlot(reply, id, to, artist, moved.outcome);
    }
  });

  /** Asks whether to move to a slot, or says why that cannot be. */
  async function ask(
    reply: FastifyReply,
    id: string,
    chosen: Chosen,
    typed: Pick<AskMoveProps, 'word' | 'wordMistake' | 'agreed'> = { word: '' },
    outcome: Outcome = {},
  ): Promise<FastifyReply> {
    const record = await readRecord(context, id);
    if (!isLive(record.status)) return refuseJob(context, reply, id, 'not_live');
    const artist = await artistOf(record.booking, chosen.artist);
    const to = await findStudioSlot(context, { ...chosen.slot, artistId: artist?.id ?? null });
    const refuse = (refusal: SlotRefusal | 'same_slot') =>
      refuseSlot(reply, id, chosen, artist, refusal);
    if (to === null) return refuse('no_such_slot');
    if (to.booking?.id === id) return refuse('same_slot');
    if (to.booking !== null) return refuse('taken');
    if (to.isOver) return refuse('over');
    if (!isShownTo(reply.request, to)) return refuse('taken');
    return reply.showPage({
      ...outcome,
      section: 'bookings',
      title: `Move ${personName(record.booking)}?`,
      children: AskMove({ record, to, ...typed }),
    });
  }

  function refuseSlot(
    reply: FastifyReply,
    id: string,
    { slot, artist: slug }: Chosen,
    artist: Artist | null,
    refusal: SlotRefusal | 'same_slot',
  ): Promise<FastifyReply> {
    // Choosing a time changes nothing.
    const status = reply.request.method === 'GET' ? 200 : 409;
    const typed = { date: slot.date, time_slot: slot.timeSlot, artist: slug };
    const trouble = slotRefused({ ...slot, artistName: artist?.name }, refusal);
    return showTimes(reply, id, typed, { status, trouble });
  }

  async function showTimes(
    reply: FastifyReply,
    id: string,
    typed: TypedSlot,
    outcome: Outcome = {},
  ): Promise<FastifyReply> {
    const record = await readRecord(context, id);
    if (!isLive(record.status)) return refuseJob(context, reply, id, 'not_live');
    const { booking } = record;
    const artist = await artistOf(booking, typed.artist);
    const [state, days, ownDay] = await Promise.all([
      context.board.read(),
      readStudioDays(context, { count: daysShown, artistId: artist?.id ?? null }),
      readStudioDays(context, { from: booking.date, count: 1 }),
    ]);
    const isShown = (slot: StudioSlot) => isShownTo(reply.request, slot);
    const sameTime = ownDay.days
      .flatMap(({ slots }) => slots)
      .filter((slot) => isFree(slot) && isSameSlot(slot, slotOf(booking)) && isShown(slot));
    return reply.showPage({
      ...outcome,
      section: 'bookings',
      title: `Move ${personName(booking)}`,
      children: MovePage({
        ...{ record, artist, sameTime, typed },
        days: {
          ...days,
          days: days.days.map((day) => ({
            ...day,
            slots: day.slots.filter(isShown),
          })),
        },
        artists: choosableArtists(state),
      }),
    });
  }

  /** The named artist, or else the booking's own, if they can be chosen; null: whoever is free. */
  async function artistOf(
    { artist_id: id }: BookingRow,
    slug: string | undefined,
  ): Promise<Artist | null> {
    const state = await context.board.read();
    if (slug === '') return null;
    const own = choosableArtists(state).find((artist) => artist.id === id) ?? null;
    return findBySlug(state, slug) ?? own;
  }
}
