/** Of the folder of an export. */
export const readMe = `# A studio's data

Written by \`studio export\`, read by \`studio import\`. **It contains personal data**: only its owner
may read it. Delete it after use.

| file | what |
| --- | --- |
| studio.json | details, addresses with the dates from which they count, notices |
| hours.json | the seven days of the week, then the days that count from one date to another |
| artists.json | the artists in their order, with the days of their own |
| openings.jsonl | sessions of single dates besides the week |
| bookings.jsonl | every booking, whatever became of it, with its person |
| closures.jsonl | closed days, sessions and hours |
| bookings.csv, closures.csv | the same for a spreadsheet; they are not imported |
| left-out.json | how many of what is not in it, with their names |
| format.json | the format's version, and how many rows each file has |
| *.schema.json | a JSON Schema (draft 7): of a whole \`.json\`, of one line of a \`.jsonl\` |

Files are UTF-8. Those ending in \`.jsonl\` have one JSON object on each line. Members are in the order
of their schemas, rows in the order in which they were made (closures and openings by date), and there
is nothing of the moment of the export: two exports of the same data are the same bytes. Instants are
RFC 3339 in UTC, but for \`starts_at\` and \`ends_at\`, which have the offset of the booking's time zone.
A hold that has lapsed is \`expired\`. \`artist\` is the \`slug\` of one; a closure without is of all.

A CSV file (RFC 4180) begins with a byte order mark, for spreadsheets; the columns have the names of the
members, and null is empty. Where a spreadsheet would find a formula, there is an apostrophe before it:
before \`=\`, \`+\`, \`-\`, \`@\` and the full-width \`＝\`, \`＋\`, \`－\`, \`＠\` at the beginning of a text, or after
a comma, semicolon, tab, \`|\` or line break in it, also behind quotes and what cannot be seen.
\`studio bookings import\` takes it away again.

## What is not in it

- API keys, webhooks with their secrets, passkeys, sessions and links of the console, codes, secret
  addresses of calendars (both feeds and watched ones), and platforms: create them again.
- The secret key, and everything that only it can read or make: secret links, who was calling, which
  Idempotency-Key belongs to which hold.
- The audit, events, deliveries and mails, and so the history of a booking: its instants are here.

## Links that people have

Of the link of a booking's page there is only a SHA-256, of which nobody can make the link. With it,
the links in mails that were sent open the page still, as long as the service has the same address
(PUBLIC_BASE_URL). The new installation cannot repeat them: mails that it sends about imported
bookings refer to the page by words, and a corrected e-mail address gets a new link. Links that stop
reminders work if the new installation has the same secret key.

Ids and sequences stay, and so the entries in people's calendars are changed, not doubled.
`;
