import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { type CalendarState, createBoardCache } from '../../board/board.js';
import { stateOfArtist } from '../../board/calendar-state.js';
import { openTimesAround } from '../../board/open-times.js';
import type { InstallationMode } from '../../database/rows/results.js';
import { bookedSlot } from '../../domain/booking/booked-slot.js';
import type { Checkout } from '../../domain/booking/checkout.js';
import type { DomainServices } from '../../domain/deps.js';
import { newAddressOn } from '../../schedule/addresses.js';
import { choosableArtists } from '../../schedule/artists.js';
import { bookableWeek, datedHours } from '../../schedule/bookable-week.js';
import { slotOf } from '../../schedule/slots.js';
import type { Assets } from '../../web/assets.js';
import { bookPath } from '../../web/book-link.js';
import { languageOf } from '../../web/language.js';
import type { PersonMistakes } from '../../web/person-form.js';
import type { Encoded } from '../../web/representation.js';
import { encodePage, sendFramablePage, sendPrivatePage } from '../../web/send-page.js';
import type { Trouble } from '../not-open.js';
import { rememberForm, rememberOwnHold } from '../own-hold.js';
import type { EmailUse } from './fields.js';
import { FormPage, type FormRefusal } from './form-page.js';
import type { TypedHold } from './hold-form.js';
import { TimesPage } from './times-page.js';
import { isFiltered, plainView, type View } from './view.js';

export interface TimesToShow {
  /** The date whose page of open times is shown; without one, the first page. */
  date?: string | undefined;
  /** The wanted day: its times come first. */
  day?: string | undefined;
  view?: View;
  ownHold: Checkout | null;
  trouble?: Trouble;
  /** Whether the trouble is that the artist cannot be booked: then no times are shown. */
  isLost?: boolean;
}

export interface FormToShow {
  form: TypedHold;
  view?: View;
  ownHold: Checkout | null;
  mistakes?: PersonMistakes;
  refusal?: FormRefusal | undefined;
}

/** Sends the pages under `/book`. */
export interface BookPages {
  showTimes(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    times: TimesToShow,
  ): Promise<FastifyReply>;
  showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    form: FormToShow,
  ): Promise<FastifyReply>;
}

/** The limit of kept pages, by date and language. */
const maxKeptPages = 16;

export function createBookPages(context: DomainServices, assets: Assets): BookPages {
  const { board, clock, config } = context;
  const { publicBaseUrl, holdLifetimeSeconds } = config;
  // Rendering takes 2 ms, and most visitors get the same few pages.
  const plainTimes = createBoardCache<Promise<Encoded>>(board, maxKeptPages);

  function timesPage(state: CalendarState, times: TimesToShow): VNode {
    const { date, day, view = plainView, ownHold, trouble, isLost = false } = times;
    const ofArtist = stateOfArtist(state, view.artist?.id ?? null);
    const openTimes = openTimesAround(ofArtist, date, clock.now(), view);
    const artists = choosableArtists(state);
    const { studio, addresses, today } = state;
    const hours = { week: bookableWeek(state), dated: datedHours(state) };
    const sharing = { studio, ...hours, publicBaseUrl, path: bookPath };
    const shown = {
      assets,
      sharing,
      addresses,
      today,
      holdLifetimeSeconds,
      openTimes,
      day,
      view,
      artists,
      isLost,
    };
    return <TimesPage {...shown} ownHold={ownHold} trouble={trouble ?? null} />;
  }

  return {
    async showTimes(request, reply, status, times) {
      const { date = '', day = '', view = plainView, ownHold, trouble } = times;
      rememberOwnHold(context, request, reply, ownHold);
      const language = languageOf(request);
      const page =
        ownHold === null && trouble === undefined && !isFiltered(view)
          ? await plainTimes(`${language.tag} ${date} ${day} ${view.theme}`, (state) =>
              encodePage(language, timesPage(state, times)),
            )
          : timesPage(await board.read(), times);
      return sendFramablePage(request, reply, status, config, page);
    },

    async showForm(request, reply, status, shown) {
      const { form, view = plainView, ownHold, mistakes = {}, refusal = null } = shown;
      const state = await board.read();
      const { mode, studio } = state;
      rememberForm(context, request, reply, form.nonce);
      rememberOwnHold(context, request, reply, ownHold);
      const props = {
        assets,
        studio,
        newAddress: newAddressOn(state, form.slot.date),
        alternatives: (refusal?.alternatives ?? []).map((each) => bookedSlot(state, slotOf(each))),
        slot: { ...bookedSlot(state, form.slot, form.artist?.id), artistName: form.artist?.name },
        view,
        form,
        mistakes,
        refusal,
        ownHold,
        holdLifetimeSeconds,
        emailUse: emailUseOf(mode),
      };
      const page = <FormPage {...props} />;
      // A form posts to the whole window.
      if (request.method === 'POST') return sendPrivatePage(request, reply, status, page);
      return sendFramablePage(request, reply, status, config, page);
    },
  };
}

function emailUseOf({ mail, confirmation }: InstallationMode): EmailUse {
  if (!mail) return 'none';
  return confirmation === 'code' ? 'code' : 'confirmation';
}
