import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { BookingRow } from '../../database/rows/schema.js';
import { personMembers, requiredMembers } from '../../domain/booking/person.js';
import type { DomainServices } from '../../domain/deps.js';
import type { BookingRecord } from '../../domain/studio/booking-record.js';
import {
  correctByStudio,
  type GivenCorrections,
  readOthersToCome,
} from '../../domain/studio/correction.js';
import { personName } from '../../domain/studio/words.js';
import { isLive } from '../../schedule/slots.js';
import { choice, form, type PageScope } from '../../web/forms.js';
import {
  findPersonMistakes,
  personFields,
  type PersonMistakes,
  type TypedPerson,
} from '../../web/person-form.js';
import { seeOther } from '../../web/send-page.js';
import { idInPath, type Outcome } from '../console-page.js';
import { linkAfter, linkToBooking } from '../links.js';
import { PageContext } from '../moment.js';
import { PostForm } from '../parts.js';
import { actorOf } from '../session.js';
import { readRecord, refuseJob } from './booking-page.js';
import {
  agreeing,
  PersonFields,
  readAgreed,
  readListedBookings,
  readSeen,
  listed,
  listedBookings,
  seen,
  seenFields,
} from './fields.js';
import { SessionList } from './lines.js';
import { askStudio, BookingNow, needsCorrecting, refusals } from './words.js';

const correctSchema = form({
  ...{ ...seen, ...personFields, ...agreeing },
  /** The other sessions to come, and whether they are corrected alike. */
  ...{ others: Type.Optional(listed), all: Type.Optional(choice('yes')) },
});

/** A form that was refused. */
interface RefusedCorrection {
  typed: TypedPerson;
  /** The mistakes in the typed values, which are kept; null: the booking has changed and is shown too. */
  mistakes: PersonMistakes | null;
  /** What the next press agrees to. */
  agreed?: string;
}

interface CorrectPageProps {
  record: BookingRecord;
  /** The other sessions that may be corrected alike. */
  others: readonly BookingRow[];
  refused: RefusedCorrection | null;
}

/** The form that corrects what a booking says about its person. */
function CorrectPage({ record, others, refused }: CorrectPageProps): VNode {
  const { booking, status, hasBegun } = record;
  const isMailed = useContext(PageContext).hasMail && status === 'confirmed' && !hasBegun;
  const present = shownPerson(booking);
  const typed = refused?.typed ?? present;
  const isChanged = refused?.mistakes === null;
  const listedOthers = others.length > 0 ? listedBookings(others) : undefined;
  return (
    <>
      <p>
        <BookingNow record={record} />
      </p>
      <PostForm
        action={`${linkToBooking(booking.id)}/correct`}
        hidden={{ ...seenFields(booking), agreed: refused?.agreed, others: listedOthers }}
      >
        <PersonFields
          typed={isChanged ? present : typed}
          mistakes={refused?.mistakes ?? {}}
          hints={isChanged ? typedBefore(booking, typed) : {}}
          required={requiredMembers(booking)}
        />
        <p>
          Another e-mail address makes the link of the booking’s page a new one, which{' '}
          {isMailed ? 'the new address gets by mail' : 'you give to the person'}. The former link
          opens nothing any more, and the former address is never mailed again; a calendar entry
          that it has stays there. Nothing else is mailed to the person.
        </p>
        {others.length === 0 ? (
          <button>Save the corrections</button>
        ) : (
          <>
            <p>The same client is to come on these days, too:</p>
            <SessionList bookings={others} />
            <p class="muted">
              For each of them, the same holds. The idea is changed in this session only.
            </p>
            <p class="buttons">
              <button>Save for this session only</button>{' '}
              <button name="all" value="yes">
                Save for this and {others.length} to come
              </button>
            </p>
          </>
        )}
      </PostForm>
    </>
  );
}

/** The details as the fields of a form show them. */
export function shownPerson(booking: BookingRow): TypedPerson {
  const { name, email, phone, pronouns, idea } = booking;
  return {
    ...{ name: name ?? '', email: email ?? '', phone: phone ?? '', pronouns: pronouns ?? '' },
    // Browsers send line breaks as CRLF.
    idea: idea?.replaceAll('\r\n', '\n') ?? '',
  };
}

/** The fields that a form changes: the others are neither checked nor stored. */
function readCorrections(booking: BookingRow, typed: TypedPerson): GivenCorrections {
  const shown = shownPerson(booking);
  return Object.fromEntries(
    personMembers
      .map((member) => [member, typed[member].trim()] as const)
      .filter(([member, text]) => text !== shown[member]),
  );
}

/** The form's details that differ from the present ones, typed there or only older. */
function typedBefore(booking: BookingRow, typed: TypedPerson): Partial<TypedPerson> {
  return Object.fromEntries(
    Object.entries(readCorrections(booking, typed)).map(([member, text]) => [
      member,
      text === '' ? 'Empty in your form.' : `In your form: ${text}`,
    ]),
  );
}

const url = '/console/bookings/:id/correct';

/** `/console/bookings/:id/correct`: what a booking says about its person. */
export function registerCorrecting(scope: PageScope, context: DomainServices): void {
  scope.get(url, { schema: idInPath }, ({ params }, reply) => show(reply, params.id));

  scope.post(url, { schema: { ...idInPath, ...correctSchema } }, async (request, reply) => {
    const { params, body } = request;
    const { id } = params;
    const { booking } = await readRecord(context, id);
    const given = readCorrections(booking, body);
    const found = Object.entries(findPersonMistakes(body, requiredMembers(booking)));
    const mistakes = found.filter(([member]) => member in given);
    if (mistakes.length > 0) {
      const refused = { typed: body, mistakes: Object.fromEntries(mistakes) };
      return show(reply, id, refused, { status: 400, trouble: needsCorrecting });
    }
    const correction = await correctByStudio(context, actorOf(request), id, given, {
      ...readSeen(body),
      agreed: readAgreed(context, body),
      others: body.all === 'yes' && readListedBookings(body.others ?? ''),
      artistId: request.consoleArtist?.id,
    });
    switch (correction.outcome) {
      case 'corrected': {
        const { newLink, others } = correction;
        const done = others.length > 0 ? 'corrected-all' : 'corrected';
        if (newLink === null) return seeOther(reply, linkAfter(done, id));
        return seeOther(reply, linkAfter(`${done}-${newLink.isMailed ? 'mailed' : 'linked'}`, id));
      }
      case 'unchanged':
        return seeOther(reply, linkAfter('unchanged', id));
      case 'elsewhere':
      case 'joins': {
        const { agreed, outcome } = askStudio(context, request, correction);
        return show(reply, id, { typed: body, mistakes: {}, agreed }, outcome);
      }
      case 'changed':
      case 'incomplete':
        return show(reply, id, { typed: body, mistakes: null }, { trouble: refusals.changed });
      default:
        return refuseJob(context, reply, id, correction.outcome);
    }
  });

  async function show(
    reply: FastifyReply,
    id: string,
    refused: RefusedCorrection | null = null,
    outcome: Outcome = {},
  ): Promise<FastifyReply> {
    const record = await readRecord(context, id);
    if (!isLive(record.status)) return refuseJob(context, reply, id, 'not_live');
    if (record.booking.name === null) return refuseJob(context, reply, id, 'erased');
    const own = reply.request.consoleArtist;
    const others = await readOthersToCome(context, record.booking, own?.id);
    return reply.showPage({
      ...outcome,
      section: 'bookings',
      title: `Correct ${personName(record.booking)}`,
      children: <CorrectPage record={record} others={others} refused={refused} />,
    });
  }
}
