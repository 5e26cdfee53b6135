import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import type { CalendarState } from '../../board/board.js';
import { stateOfArtist } from '../../board/calendar-state.js';
import { openTimesAround } from '../../board/open-times.js';
import { bookedSlot } from '../../domain/booking/booked-slot.js';
import type { Checkout } from '../../domain/booking/checkout.js';
import type { CodeRefusal, CodeStep } from '../../domain/booking/codes.js';
import { moveLimits, movePermissionAfter } from '../../domain/booking/move-rules.js';
import { moveCheckout } from '../../domain/booking/moves.js';
import { personOfBooking, stateForPerson } from '../../domain/booking/person-sessions.js';
import type { DomainServices } from '../../domain/deps.js';
import { ServiceError } from '../../errors.js';
import type { Language } from '../../locales/language.js';
import { type Artist, artistOfLink, choosableArtists, isInSlot } from '../../schedule/artists.js';
import { openFor } from '../../schedule/calendar.js';
import { type Slot, slotKey } from '../../schedule/slots.js';
import type { Session } from '../../schedule/times.js';
import { checkoutPath } from '../../secrets/links.js';
import type { Assets } from '../../web/assets.js';
import {
  choice,
  count,
  form,
  formRefused,
  type PageScope,
  query,
  readSlot,
  slotFields,
  text,
  tokenInPath,
} from '../../web/forms.js';
import { languageOf } from '../../web/language.js';
import { refuseForeignPosts } from '../../web/origins.js';
import { acceptsPages, seeOther, sendPrivatePage } from '../../web/send-page.js';
import { artistTrouble, hasOtherSession, notOpen, type Trouble } from '../not-open.js';
import { ChooseTimePage, ConfirmMovePage, MoveRefusedPage } from './move-pages.js';
import { openCheckout, openPosted, reportRefusal } from './open-checkout.js';
import { changeWithCode, prepareCode, refuseCode, requestCode, type Visit } from './with-code.js';

/** `artist`: a slug, or empty for whoever is free; without it the booking's own. */
const chosenTime = query({ from: text, artist: text, ...slotFields });

interface Moving extends Visit {
  place: Place;
}

/** The artists whose times are offered. */
interface Place {
  /** The state as if there were only these artists. */
  state: CalendarState;
  /** Null: whoever is free. */
  artist: Artist | null;
  /** The artists that can be chosen; none where there is one. */
  artists: readonly Artist[];
  /** Why the chosen artist cannot be booked; null if they can, or nobody was chosen. */
  lost: Trouble | null;
}

const moveSchema = form({
  action: choice('move', 'send_code'),
  date: text,
  time_slot: text,
  artist: Type.Optional(text),
  sequence: count,
  code: Type.Optional(text),
});

/**
 * Moving a booking: the person chooses a time, sees the change, and presses the one button that moves it.
 * A booking that is over shows its page instead.
 */
export function registerMoves(app: PageScope, context: DomainServices, assets: Assets): void {
  const url = '/checkout/:token/move';

  app.get(url, { schema: { ...tokenInPath, ...chosenTime } }, async (request, reply) => {
    const checkout = await openCheckout(context, request.params.token);
    if (!checkout.move.allowed) return refuse({ request, reply, checkout });

    const { from = checkout.booking.date, artist: slug, ...chosen } = request.query;
    const language = languageOf(request);
    const { t } = language;
    const place = await placeOf(language, checkout, slug);
    const moving = { request, reply, checkout, place };
    if (place.lost !== null) return offerTimes(moving, 409, from, place.lost);
    if (chosen.date === undefined && chosen.time_slot === undefined) {
      return offerTimes(moving, 200, from, null);
    }
    const slot = readSlot(chosen);
    if (slot === null) {
      const [title, text] = [t('move.not_understood.title'), t('move.not_understood.text')];
      return offerTimes(moving, 400, checkout.booking.date, { title, text });
    }
    // After a move, going back leads to a page of the present time.
    if (isOwn(moving, slot)) return seeOther(reply, checkoutPath(checkout.token));
    const state = openFor(place.state, slot, null, context.clock.now());
    if (state === 'open') return askToMove(moving, slot, 200);
    const why = notOpen(language, withArtist(moving, slot), state, t('move.nothing_lost'));
    return refuseSlot(moving, slot, why);
  });

  const pressed = {
    schema: { ...tokenInPath, ...moveSchema },
    onRequest: refuseForeignPosts(context),
  };
  app.post(url, pressed, async (request, reply) => {
    const { token } = request.params;
    const checkout = await openPosted(context, request);
    const { action, sequence } = request.body;
    const slot = readSlot(request.body);
    if (slot === null) throw formRefused();
    const language = languageOf(request);
    const place = await placeOf(language, checkout, request.body.artist);
    const moving = { request, reply, checkout, place };
    if (place.lost !== null) return refuseSlot(moving, slot, place.lost);
    if (action === 'send_code') {
      const sent = await requestCode(context, moving);
      if (sent.outcome === 'sent' || sent.outcome === 'not_needed') {
        const { date, timeSlot: time_slot } = slot;
        const fields = { date, time_slot, ...artistField(place) };
        const query = new URLSearchParams(fields).toString();
        return seeOther(reply, `${checkoutPath(token)}/move?${query}`);
      }
      return explainRefusal(moving, slot, sent);
    }
    if (sequence !== checkout.booking.sequence && acceptsPages(request)) {
      const isOpen = openFor(place.state, slot, null, context.clock.now()) === 'open';
      if (checkout.move.allowed && isOpen && !isOwn(moving, slot)) {
        return askToMove(moving, slot, 409, { hasChanged: true });
      }
    }
    const change = async (current: Checkout, browser: string | null) => {
      const to = { ...slot, artistId: place.artist?.id ?? null };
      const move = await moveCheckout(context, current, to, sequence, browser);
      return move.outcome === 'code_needed' ? move.outcome : move;
    };
    const changed = await changeWithCode(context, request, checkout, sequence, change);
    if (changed.outcome === 'refused') return explainRefusal(moving, slot, changed.refusal);
    const move = changed.result;
    if (move === null || move.outcome === 'done') return seeOther(reply, checkoutPath(token));
    const { checkout: current } = move;
    if (move.outcome === 'move_refused') return refuse({ request, reply, checkout: current });
    // The move may have failed because the board was late: this is the present state.
    const present = {
      ...moving,
      checkout: current,
      place: await placeOf(language, current, request.body.artist),
    };
    const { t } = language;
    const nothingLost = t('move.nothing_lost');
    const trouble =
      move.outcome === 'artist_at_cap'
        ? { title: t('move.artist_at_cap.title'), text: `${t('limit.artist')} ${nothingLost}` }
        : move.outcome === 'elsewhere'
          ? hasOtherSession(language, move.elsewhere, nothingLost)
          : notOpen(language, withArtist(present, slot), move.slotState, nothingLost);
    return refuseSlot(present, slot, trouble);
  });

  /** The artist with this slug. Without the slug of one who can be chosen, the booking's own. */
  async function placeOf(
    language: Language,
    { booking }: Checkout,
    slug: string | undefined,
  ): Promise<Place> {
    const state = await context.board.read();
    const artists = choosableArtists(state);
    const trouble = artistTrouble(language, state, slug);
    const id = slug === undefined ? booking.artist_id : artistOfLink(state, slug)?.id;
    const artist = artists.find((each) => each.id === id) ?? null;
    const lost = trouble && {
      ...trouble,
      text: `${trouble.text} ${language.t('move.somebody_else')}`,
    };
    return { state: stateOfArtist(state, artist?.id ?? null), artists, artist, lost };
  }

  async function askToMove(
    moving: Moving,
    slot: Slot,
    status: number,
    {
      refusal = null,
      hasChanged = false,
    }: { refusal?: CodeRefusal | null; hasChanged?: boolean } = {},
  ): Promise<FastifyReply> {
    const { request, reply, checkout, place } = moving;
    const { state, artist } = place;
    const { booking } = checkout;
    const now = context.clock.now();
    const to = { ...bookedSlot(state, slot), artistName: artist?.name };
    const after = movePermissionAfter(booking, to.startsAt, moveLimits(context.config), now);
    // Moving a hold never needs a code.
    const codeStep: CodeStep =
      checkout.status === 'confirmed' ? await prepareCode(context, moving) : { step: 'none' };
    const props = {
      assets,
      checkout,
      studio: state.studio,
      addresses: state.addresses,
      path: checkoutPath(checkout.token),
      to,
      artistField: artistField(place),
      after,
      codeStep,
      refusal,
      hasChanged,
      now,
    };
    const page = <ConfirmMovePage {...props} />;
    return sendPrivatePage(request, reply, status, page);
  }

  function explainRefusal(moving: Moving, slot: Slot, refusal: CodeRefusal): Promise<FastifyReply> {
    const status = refuseCode(moving.request, moving.reply, refusal);
    return askToMove(moving, slot, status, { refusal });
  }

  function refuseSlot(moving: Moving, slot: Slot, trouble: Trouble): Promise<FastifyReply> {
    reportRefusal(moving.request, new ServiceError('slot_unavailable'));
    return offerTimes(moving, 409, slot.date, trouble);
  }

  async function offerTimes(
    { request, reply, checkout, place }: Moving,
    status: number,
    date: string,
    trouble: Trouble | null,
  ): Promise<FastifyReply> {
    const { state, artists, artist } = place;
    const person = personOfBooking(checkout.booking);
    const free = await stateForPerson(context, state, person);
    const openTimes = openTimesAround(free, date, context.clock.now());
    const { studio } = state;
    const path = checkoutPath(checkout.token);
    const shown = { assets, checkout, studio, path, openTimes, trouble, artists, artist };
    const page = <ChooseTimePage {...shown} artistField={artistField(place)} />;
    return sendPrivatePage(request, reply, status, page);
  }

  async function refuse({ request, reply, checkout }: Visit): Promise<FastifyReply> {
    const { move } = checkout;
    const isRule = !move.allowed && (move.reason === 'notice' || move.reason === 'number');
    const path = checkoutPath(checkout.token);
    if (!isRule) return seeOther(reply, path);
    reportRefusal(request, new ServiceError('move_refused'));
    const { studio } = await context.board.read();
    const page = <MoveRefusedPage {...{ assets, checkout, studio, path }} />;
    return sendPrivatePage(request, reply, 409, page);
  }
}

/** Whether the slot is the booking's own: the board, read later, may know of a newer move. */
function isOwn({ checkout: { booking }, place }: Moving, slot: Slot): boolean {
  const { state, artist } = place;
  const shown = state.bookings.get(booking.id);
  if (shown !== undefined && shown.sequence > booking.sequence) {
    return shown.slotKey === slotKey(slot) && (artist === null || artist.id === shown.artistId);
  }
  return isInSlot(booking, { ...slot, artistId: artist?.id ?? null });
}

/** The slot, with the artist whose times are offered. */
function withArtist({ place }: Moving, slot: Slot): Session {
  return { ...slot, artistName: place.artist?.name };
}

/** The field that names the artist again; none where there is one. */
function artistField({ artists, artist }: Place): Record<string, string> {
  return artists.length === 0 ? {} : { artist: artist?.slug ?? '' };
}
