import type { Studio } from '../../../generated/schemas.js';
import type { Config, ConfirmationProof } from '../../config/config.js';
import { maxWaitSeconds } from '../../config/limits.js';
import { liveBookingsPerCaller } from '../../domain/booking/caps.js';
import { addDays } from '../../schedule/dates.js';
import { durationWords } from '../../schedule/words.js';
import { changesAdvice } from '../../views/booking.js';
import { proofTable } from '../../views/proofs.js';
import { linkToBook } from '../../web/book-link.js';

/** The studio's details that an agent needs before it proposes a time; the rest is in `GET /studio`. */
export function studioDetails(studio: Studio, today: string): string {
  const { street, city, region, postal_code: postalCode } = studio.address;
  const notices = studio.notices.map(
    ({ title, text }) => `  - **${oneLine(title)}**: ${oneLine(text)}`,
  );
  const artists = (studio.artists ?? []).map(
    ({ name, book_url: url }) => `${oneLine(name)} (${url})`,
  );
  if (notices.length > 0) notices.unshift('- Tell the person before the hold:');
  const { email, phone } = studio.contact;
  return `## The studio

- **${oneLine(studio.name)}**, ${oneLine(`${street}, ${city}, ${region} ${postalCode}`)}. ${oneLine(studio.description)}
- All dates and times are on the studio's clock: ${studio.timezone}, where today is ${today}.
- Sessions begin at ${studio.session_times.join(', ')}; each lasts ${studio.session_minutes / 60} hours, or until the studio closes.
- Who has no US telephone number writes to ${email} or calls ${phone}.${
    artists.length === 0
      ? ''
      : `\n- Each session is with an artist. **A hold takes whoever is free**, as its \`artist.name\` says, and refuses \`artist\`. For a person who wants a certain one, list that artist's times with \`&artist=\` and the word in the address below, and give the person that address, with \`&date=\` and \`&time_slot=\` of the time that they chose: it holds the time with that artist when they press.\n  - ${artists.join('\n  - ')}`
  }
${[...notices, '- Booking is free: a request to pay does not come from us.'].join('\n')}`;
}

/** Texts of the studio may have line breaks, which would end a list item. */
function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** `date`: of the examples. */
export function booking({ publicBaseUrl }: Config, date: string): string {
  const api = `${publicBaseUrl}/api/public`;
  return `## Steps

**1. List open times**, \`to\` at most 31 days after \`from\`; \`&time_slot=1:00%20PM\` for one time of day.

\`\`\`sh
curl '${api}/availability?from=${date}&to=${addDays(date, 13)}'
\`\`\`

**2. Hold the time** that the person chose.

\`\`\`sh
curl -X POST '${api}/holds' \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: 8e03978e-40d5-43e8-bc93-6894a57f9324' \\
  -d '{"date": "${date}", "time_slot": "1:00 PM", "name": "Ada Park",
       "email": "ada@example.com", "phone": "5555550142", "pronouns": "she/her",
       "idea": "A small heron on the forearm, black ink"}'
\`\`\`

| member | required | value |
| --- | --- | --- |
| \`date\` | yes | \`YYYY-MM-DD\`, as listed |
| \`time_slot\` | yes | as listed |
| \`name\` | yes | at most 120 characters |
| \`email\` | yes | at most 254 characters |
| \`phone\` | yes | a US number of ten digits; \`+1\`, spaces, dots, dashes, slashes and brackets may stay; at most 100 characters |
| \`pronouns\` | no | at most 40 characters, or null |
| \`idea\` | no | what they have in mind, at most 2000 characters, or null |

Other members are refused. Never invent a value: ask. The \`Idempotency-Key\` is a new random UUID, which
nobody can guess, for each hold that you mean: when an answer is lost, the same request with the same key
gets the same hold again.

**3. Hand over.** Show the person \`data.handoff.message\`, and \`data.checkout_url\` as a link.

**4. Wait for the person**, with \`data.id\`. The answer comes as soon as they act (they may move to
another time: \`label\` names it), or after ${maxWaitSeconds} seconds; ask again while \`status\` is \`pending\`. Otherwise it
is \`confirmed\`, \`expired\` or \`cancelled\`.

\`\`\`sh
curl -H 'Prefer: wait=${maxWaitSeconds}' '${api}/bookings/0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11'
\`\`\``;
}

const proofs: Record<ConfirmationProof, string> = {
  link: 'Confirming takes nothing but the link.',
  code: 'Besides the link, it takes six digits that we mail to the `email` of the hold, so give the address that your person reads. The person types them: never ask for them.',
};

/** The roles: each act by API, by tool or in the person's own browser. */
export function roles(config: Config, confirmation: ConfirmationProof, date: string): string {
  const { holdLifetimeSeconds, maxLiveBookingsPerPerson, publicBaseUrl } = config;
  const bookLink = `${publicBaseUrl}${linkToBook({ date, timeSlot: '1:00 PM' })}`;
  const person = confirmation === 'code' ? 'e-mail' : 'e-mail or phone';
  return `## Whose act it is

| act | whose |
| --- | --- |
| list times, hold the one that the person chose, hand it over, read the booking | yours |
| hold another time or a second one; press "Hold this time" on \`/book\` in the person's own browser | ask first |
| on the page of a hold, also in their own browser: confirm, move, release, cancel, hold again, ask for a code, type one | the person's |

- Do not open, press or fetch \`checkout_url\`, give it to nobody else, and do not keep it. ${proofs[confirmation]} No button there or on \`/book\` can be pressed with \`Signature-Agent\` or an API key. The page that follows "Hold this time" on \`/book\` is that page: stop, and say so.
- A hold lasts ${durationWords(holdLifetimeSeconds)} and nothing extends it. **Do not hold for a person who is asleep or away**: give them \`${bookLink}\` (by \`book_url_template\` in the answers), with nothing personal in it; it holds the time when they press. You get no id: ask them. The page of a hold that has expired holds the time again at one press, while it is open.
- ${changesAdvice} No operation or tool does it.
- Holds that wait are capped, for you and for the studio. One person, known by ${person}, has at most ${maxLiveBookingsPerPerson} bookings held or still to come, and one caller places at most ${liveBookingsPerCaller(config, confirmation)} of them within 24 hours; beyond that, \`rate_limited\`.

The person, not the agent, is asked to confirm, and a code stops whoever does not read the person's mail:

${proofTable()}`;
}

export function failures(): string {
  return `## Errors

A failure is \`{"error": {"code", "message", …}}\`: \`message\` says what to do next.

| code | what to do |
| --- | --- |
| \`invalid_request\` | correct what \`details\` names, then send it again |
| \`slot_unavailable\` | offer the person one of \`alternatives\`, the best first |
| \`booking_not_found\` | use the \`id\` that the hold answered |
| \`idempotency_key_reused\` | use a new key for a new hold |
| \`rate_limited\` | wait \`retry_after_seconds\`, not less, or give the person the link in \`message\` |
| \`too_many_pending_holds\` | wait \`retry_after_seconds\`, not less |
| \`service_unavailable\`, \`internal_error\` | try again later, with the same \`Idempotency-Key\` |`;
}
