import type { Static, TString } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { BookingRow } from '../../database/rows/schema.js';
import type { StudioRow } from '../../database/rows/studio.js';
import { isSameText, studioFields, type StudioMember } from '../../domain/studio/fields.js';
import type { SeenStudio, StudioDetails } from '../../domain/studio/settings.js';
import { addressMembers } from '../../schedule/addresses.js';
import { isCalendarDate } from '../../schedule/dates.js';
import { Field, type FieldProps } from '../../web/field.js';
import { anyText, form, text } from '../../web/forms.js';
import { artistsPath, studioPath } from '../links.js';
import { PostForm } from '../parts.js';
import {
  ComingAddresses,
  type PostedAddress,
  readTold,
  type RefusedRemoval,
  tellFields,
  TellPeople,
} from './addresses.js';
import { Notices, type RefusedNotice } from './notices.js';

export interface StudioPageProps extends StudioDetails {
  /** The form that was refused; null for a new one. */
  refused: { form: PostedStudio; mistakes: StudioMistakes; touched: BookingRow[] } | null;
  refusedNotice: RefusedNotice | null;
  refusedRemoval: RefusedRemoval | null;
}

/** The studio's details and notices, as people see them. */
export function StudioPage(props: StudioPageProps): VNode {
  return (
    <div class="studio">
      <section aria-labelledby="details">
        <h2 id="details">Details</h2>
        <Details {...props} />
      </section>
      {props.coming.length > 0 && (
        <section aria-labelledby="coming">
          <h2 id="coming">Addresses to come</h2>
          <ComingAddresses {...props} refused={props.refusedRemoval} />
        </section>
      )}
      <div>
        <section aria-labelledby="artists">
          <h2 id="artists">Artists</h2>
          <p class="muted">
            Who works here, in which order, and when. <a href={artistsPath}>Artists</a>
          </p>
        </section>
        <section aria-labelledby="notices">
          <h2 id="notices">Notices</h2>
          <Notices notices={props.studio.notices} refused={props.refusedNotice} />
        </section>
      </div>
    </div>
  );
}

function Details(props: StudioPageProps): VNode {
  const { studio, coming, bookingsInOtherZone, refused } = props;
  const overtaken = refused === null ? new Set() : overtakenMembers(refused.form, studio);
  const field = (name: StudioMember, label: string, more: Partial<FieldProps> = {}) => {
    const mistakes = [
      refused?.mistakes[name],
      overtaken.has(name) && `Changed meanwhile to: ${studio[name]} – Saving again replaces that.`,
    ].filter((mistake) => typeof mistake === 'string');
    return (
      <Field
        name={name}
        label={label}
        value={refused?.form.typed[name] ?? studio[name]}
        mistake={mistakes.length === 0 ? undefined : mistakes.join(' ')}
        {...more}
      />
    );
  };
  const hidden = {
    seen_coming: JSON.stringify(coming),
    ...Object.fromEntries(studioMembers.map((member) => [seenName(member), studio[member]])),
  };
  return (
    <PostForm action={studioPath} hidden={hidden} class="details-form">
      {field('name', 'Name')}
      {field('description', 'Description', { rows: 4, hint: 'What you do, in a few sentences.' })}
      <fieldset>
        <legend>Address</legend>
        {field('street', 'Street and number')}
        <div class="pair">
          {field('city', 'City')}
          {field('region', 'State or region')}
          {field('postal_code', 'Postal code')}
          {field('country', 'Country', { hint: 'Two letters, such as US.' })}
        </div>
        <Field
          name="address_from"
          label="First day at this address"
          hint="Without one, it counts at once. Sessions before that day stay at the present address."
          optional
          type="date"
          value={refused?.form.address.from ?? ''}
          mistake={refused?.mistakes.address_from}
        />
        <TellPeople
          isQuiet={refused?.form.address.isQuiet ?? false}
          touched={refused?.touched ?? []}
        />
      </fieldset>
      <fieldset>
        <legend>Contact</legend>
        <div class="pair">
          {field('email', 'E-mail address', { type: 'email' })}
          {field('phone', 'Telephone', { type: 'tel' })}
        </div>
        {field('website', 'Website', { type: 'url' })}
      </fieldset>
      <fieldset>
        <legend>Time</legend>
        {field('timezone', 'Time zone', {
          hint: 'Open times follow its clocks. After a change of it, bookings that exist stay at the same moment.',
          list: 'zones',
        })}
        {bookingsInOtherZone.length > 0 && (
          <p class="warned">
            {bookingsInOtherZone.length === 1
              ? '1 upcoming booking was made in another time zone and stays at the same moment.'
              : `${bookingsInOtherZone.length} upcoming bookings were made in another time zone and stay at the same moments.`}
          </p>
        )}
        <datalist id="zones">
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </fieldset>
      <button>Save the details</button>
    </PostForm>
  );
}

export type StudioTexts = Record<StudioMember, string>;
export type StudioMistakes = Partial<StudioTexts & { address_from: string }>;

const studioMembers = Object.keys(studioFields) as readonly StudioMember[];

/** What to type as the first day of an address. */
export const notLater = 'Give today or a later date.';

export interface PostedStudio {
  /** The typed members that differ from what the page showed. */
  typed: SeenStudio;
  /** The members as the page showed them, but for those of an address that counts only later. */
  seen: SeenStudio;
  address: PostedAddress;
}

/** The hidden field that says how the page showed a member. */
function seenName(member: StudioMember) {
  return `seen_${member}` as const;
}

const typedFields = Object.fromEntries(studioMembers.map((member) => [member, anyText])) as Record<
  StudioMember,
  TString
>;
const seenFields = Object.fromEntries(
  studioMembers.map((member) => [seenName(member), text]),
) as Record<ReturnType<typeof seenName>, TString>;

export const studioSchema = form({
  ...typedFields,
  ...seenFields,
  ...tellFields,
  address_from: anyText,
  seen_coming: text,
});

export function readStudioForm(posted: Static<typeof studioSchema.body>): PostedStudio {
  const typed: SeenStudio = {};
  const seen: SeenStudio = {};
  const from = posted.address_from.trim();
  for (const member of studioMembers) {
    const shown = posted[seenName(member)];
    // An address that counts later is saved whole, and replaces nothing that the fields showed.
    const isLater = from !== '' && (addressMembers as readonly string[]).includes(member);
    if (!isLater) seen[member] = shown;
    if (isLater || !isSameText(posted[member], shown)) typed[member] = posted[member];
  }
  const address = { ...readTold(posted), from, seenComing: posted.seen_coming };
  return { typed, seen, address };
}

/** The values to store, or the mistakes. */
export function checkStudioForm({ typed, address: { from } }: PostedStudio): {
  changes: SeenStudio;
  mistakes: StudioMistakes;
} {
  const changes: SeenStudio = {};
  const mistakes: StudioMistakes = {};
  if (from !== '' && !isCalendarDate(from)) mistakes.address_from = notLater;
  for (const [key, text] of Object.entries(typed)) {
    const member = key as StudioMember;
    const checked = studioFields[member](text);
    if ('problem' in checked) mistakes[member] = checked.problem;
    else changes[member] = checked.value;
  }
  return { changes, mistakes };
}

/** The typed members whose stored value has changed since the page was opened. */
function overtakenMembers(
  { typed, seen }: PostedStudio,
  studio: StudioRow,
): ReadonlySet<StudioMember> {
  return new Set(
    studioMembers.filter(
      (member) =>
        typed[member] !== undefined && !isSameText(seen[member] ?? studio[member], studio[member]),
    ),
  );
}
