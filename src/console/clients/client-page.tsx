import type { FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { mailtoUri } from '../../config/addresses.js';
import type { DomainServices } from '../../domain/deps.js';
import { type ClientRecord, noteClient, readClient } from '../../domain/studio/clients.js';
import {
  countsOfClient,
  languageNames,
  nameOfClient,
  personName,
} from '../../domain/studio/words.js';
import { ServiceError } from '../../errors.js';
import { isLive, statusAt } from '../../schedule/slots.js';
import { sessionOf } from '../../schedule/times.js';
import { Field } from '../../web/field.js';
import type { PageScope } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { CopyForms, ForgetForms } from '../bookings/data-forms.js';
import { ClientLines } from '../bookings/lines.js';
import { noteSchema, saveNote } from '../bookings/notes.js';
import { PhoneLink, statusText } from '../bookings/words.js';
import { idInPath, type Outcome, showsDone } from '../console-page.js';
import { doneMessages, linkToAddAgain, linkToBooking, linkToClient } from '../links.js';
import { DayAndHours, PageContext } from '../moment.js';
import { type Fact, Facts, isolated, PostForm } from '../parts.js';

interface ClientPageProps {
  client: ClientRecord;
  /** In a form that was refused. */
  typed: string | undefined;
}

/** A client with all bookings, and the studio's note. */
function ClientPage({ client, typed }: ClientPageProps): VNode {
  const { booking, shown, names } = client;
  const isErased = names.length === 0;
  const { own, now } = useContext(PageContext);
  return (
    <div class="record">
      <div>
        <About client={client} isNoteShown={typed !== undefined} />
        {!isErased && <NoteForm client={client} typed={typed} />}
        <div class="jobs">
          {!isErased && (
            <a class="button" href={linkToAddAgain(shown.id)}>
              Book again
            </a>
          )}
          {!isErased && isLive(statusAt(shown, now)) && (
            <a class="button quiet" href={`${linkToBooking(shown.id)}/correct`}>
              Correct
            </a>
          )}
          {own === null && <CopyForms booking={booking} />}
          {own === null && !isErased && <ForgetForms client={client} />}
        </div>
      </div>
      <div class="past">
        <Sessions client={client} />
        <SamePhone client={client} />
      </div>
    </div>
  );
}

function About({ client, isNoteShown }: { client: ClientRecord; isNoteShown: boolean }): VNode {
  const { names, phones, emails, pronouns, languages, note } = client;
  const facts: Fact[] = [
    ['Names', names.length > 1 && <bdi key="names">{names.join(', ')}</bdi>],
    ...phones.map((phone): Fact => [`Phone`, <PhoneLink key={phone} phone={phone} />]),
    ...emails.map((email): Fact => [
      'E-mail',
      <a key={email} href={mailtoUri(email)}>
        <bdi>{email}</bdi>
      </a>,
    ]),
    ['Pronouns', isolated(pronouns.join(', '))],
    ['Languages', languageNames(languages)],
    ['Sessions', countsOfClient(client)],
    ['Note', isNoteShown && isolated(note)],
  ];
  return <Facts facts={facts} />;
}

function NoteForm({ client, typed }: ClientPageProps): VNode {
  const { booking, note } = client;
  return (
    <PostForm action={linkToClient(booking.id)} hidden={{ seen_note: note }}>
      <Field
        name="note"
        label="Note about the client"
        hint="Only the studio reads it. It is erased with the last booking."
        optional
        rows={Math.min(12, Math.max(3, Math.ceil(note.length / 40)))}
        value={typed ?? note}
      />
      <button class="quiet">Save the note</button>
    </PostForm>
  );
}

function Sessions({ client: { bookings, names } }: { client: ClientRecord }): VNode {
  const { now } = useContext(PageContext);
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <ul class="booking-lines">
        {bookings.map((booking) => (
          <li key={booking.id}>
            <a href={linkToBooking(booking.id)}>
              <DayAndHours of={sessionOf(booking)} />
            </a>{' '}
            <span class="muted">
              {names.length > 1 && <bdi>{personName(booking)}, </bdi>}
              {statusText(booking, statusAt(booking, now))}
              {booking.studio_note !== null && (
                <>
                  . Note: <bdi>{booking.studio_note}</bdi>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Other clients who may be the same person. */
function SamePhone({ client: { samePhone } }: { client: ClientRecord }): VNode | null {
  if (samePhone.length === 0) return null;
  return (
    <section aria-labelledby="same-phone">
      <h2 id="same-phone">Same phone number</h2>
      <ClientLines clients={samePhone} wordsOf={({ email }) => email ?? 'no e-mail address'} />
      <p class="muted">
        If they are one person, correct the e-mail address of one: then they are one client.
      </p>
    </section>
  );
}

const url = '/console/clients/:id';

/** `/console/clients/:id`: the client of the booking of that id, since an address names nobody. */
export function registerClient(scope: PageScope, context: DomainServices): void {
  scope.get(url, { schema: { ...idInPath, ...showsDone } }, ({ params }, reply) =>
    show(reply, params.id),
  );

  scope.post(url, { schema: { ...idInPath, ...noteSchema } }, async (request, reply) => {
    const { id } = request.params;
    const refused = await saveNote(context, request, noteClient);
    return refused === null
      ? seeOther(reply, `${linkToClient(id)}?done=noted`)
      : show(reply, id, refused);
  });

  async function show(
    reply: FastifyReply,
    id: string,
    { note: typed, ...outcome }: Outcome & { note?: string } = {},
  ): Promise<FastifyReply> {
    const client = await readClient(context, { id }, reply.request.consoleArtist?.id);
    if (client === null) throw new ServiceError('not_found');
    return reply.showPage({
      ...outcome,
      section: 'clients',
      title: nameOfClient(client),
      messages: doneMessages,
      children: <ClientPage {...{ client, typed }} />,
    });
  }
}
