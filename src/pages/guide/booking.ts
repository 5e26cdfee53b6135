import type { Studio } from '../../../generated/schemas.js';
import { isLoopback } from '../../config/addresses.js';
import type { Config, ConfirmationProof } from '../../config/config.js';
import { liveBookingsPerCaller } from '../../domain/caps.js';
import { addDays } from '../../schedule/dates.js';
import { durationWords } from '../../schedule/words.js';
import { loopbackAdvice } from '../../views/booking.js';
import { proofTable } from '../../views/proofs.js';
import { bookUrlTemplate } from '../../web/book-link.js';

/** What an agent must know of the studio before it proposes a time; the rest is in `GET /studio`. */
export function studioDetails(studio: Studio, today: string): string {
  const { street, city, region, postal_code: postalCode } = studio.address;
  const notices = studio.notices.map(
    ({ title, text }) => `  - **${oneLine(title)}**: ${oneLine(text)}`,
  );
  if (notices.length > 0) notices.unshift('- Tell the person before the hold:');
  return `## The studio

- **${oneLine(studio.name)}**, ${oneLine(`${street}, ${city}, ${region} ${postalCode}`)}. ${oneLine(studio.description)}
- All dates and times are on the studio's clock: ${studio.timezone}, where today is ${today}.
- A session begins at ${studio.session_times.join(', ')} and lasts ${studio.session_minutes / 60} hours, or until the studio closes.
${[...notices, '- Booking is free. A request to pay does not come from this service.'].join('\n')}`;
}

/** Texts of the studio may have line breaks, which would end a list item. */
function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

export function booking({ publicBaseUrl }: Config, today: string): string {
  const api = `${publicBaseUrl}/api/public`;
  const date = addDays(today, 7);
  return `## A booking, step by step

**1. List open times** from one date to another, at most 31 days apart. Add \`&time_slot=1:00%20PM\` for
one time of day only.

\`\`\`sh
curl '${api}/availability?from=${date}&to=${addDays(date, 13)}'
\`\`\`

**2. Hold a time** that the person agreed to.

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
| \`time_slot\` | yes | \`9:00 AM\`, \`1:00 PM\` or \`5:00 PM\` |
| \`name\` | yes | 1 to 120 characters |
| \`email\` | yes | an e-mail address, at most 254 characters |
| \`phone\` | yes | a US number: ten digits that the North American plan can have; spaces, dots, dashes, slashes, brackets, invisible characters and a leading \`+1\` or \`1\` may stay, at most 100 characters |
| \`pronouns\` | no | at most 40 characters, or null |
| \`idea\` | no | what the person has in mind, at most 2000 characters, or null |

Other members are refused. Never invent a value: ask the person. The \`Idempotency-Key\` is a new random
UUID for each hold that you mean (one that can be guessed can be used up before you use it): when an
answer is lost, the same request with the same key gets the same hold again.

**3. Hand over.** Show the person \`data.handoff.message\`, which says until when the time is held, and
\`data.checkout_url\` as a link. The person opens it and confirms.

**4. Wait for the person**, with \`data.id\`. The answer comes as soon as the status changes or the person
picks another time (\`label\` names it), or after 60 seconds at the latest; ask again while it is \`pending\`. The other
statuses are \`confirmed\`, \`expired\` and \`cancelled\`.

\`\`\`sh
curl -H 'Prefer: wait=60' '${api}/bookings/0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11'
\`\`\``;
}

const proofs: Record<ConfirmationProof, string> = {
  link: 'It takes nothing but the link.',
  code: 'Besides the link, it takes six digits that we mail to the `email` of the hold, so give the address that your person reads.',
};

export function rules(config: Config, confirmation: ConfirmationProof): string {
  const { holdLifetimeSeconds, maxLiveBookingsPerPerson, publicBaseUrl } = config;
  const rules = [
    `**Never complete checkout.** Do not open, press or fetch \`checkout_url\`: only the person confirms. ${proofs[confirmation]} Give it to your person and to nobody else, and do not keep it. A request with \`Signature-Agent\` or an API key is refused there.`,
    `A hold lasts ${durationWords(holdLifetimeSeconds)} and nothing extends it. **Do not hold for a person who is asleep or away**: give them a link to the time, \`${bookUrlTemplate(publicBaseUrl)}\` (as \`book_url_template\` in the answers), which holds it when they press. Nothing personal belongs in it. The page of a hold that has expired holds the time again at one press, while it is open; or ask the person, and place a new hold.`,
    'Hold only what the person has agreed to. Holds that wait for their people are capped, for you and for the studio as a whole.',
    `One person, known by ${confirmation === 'code' ? 'e-mail' : 'e-mail or phone'}, has at most ${maxLiveBookingsPerPerson} bookings that are held, or confirmed and still to come; one caller places at most ${liveBookingsPerCaller(config, confirmation)} of them within 24 hours. Beyond that a hold is refused with \`rate_limited\`.`,
    ...(isLoopback(publicBaseUrl) ? [`**${loopbackAdvice}**`] : []),
  ];
  return `## The rules

${rules.map((rule) => `- ${rule}`).join('\n')}

The person, not the agent, is asked to confirm, and a code stops whoever does not read the person's mail:

${proofTable()}`;
}
