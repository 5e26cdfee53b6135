/**
 * The sentences that a person reads, in English: pages, mails and their errors. ICU MessageFormat, one
 * whole sentence or label each: `{name}` is an argument, `<map>…</map>` an element that the page makes.
 * A key says where the sentence stands and what it is for. What agents, developers and the studio read
 * is not here: it stays English.
 */
export const en = {
  // Words that several places share
  'shared.notices.heading': 'Good to know',
  'shared.coming_address': 'From {day}, sessions are at {address}.',
  'shared.who_acts':
    'An assistant may hold a time and hand it over. Only the person confirms, moves, releases, cancels, holds again or asks for a code.',
  'shared.ask_studio': 'If you need another time, write to {email} or call {phone}.',

  // The layout of every page
  'layout.title': '{title} – {studio}',
  'layout.no_studio': 'The studio',
  'layout.privacy': 'Privacy',

  // The checkout page: a hold, a confirmed session, one that has ended
  'checkout.title.pending': 'This time is held for you',
  'checkout.title.confirmed': 'Your session is confirmed',
  'checkout.title.asked': 'Please choose another time',
  'checkout.title.begun': 'This session was confirmed',
  'checkout.title.expired': 'Your hold has ended',
  'checkout.title.released': 'This time was released',
  'checkout.title.cancelled': 'This session is cancelled',
  'checkout.where.term': 'Where',
  'checkout.where': '{address} <map>Open the map</map>',
  'checkout.where.moving': '{address}, our address from {day} <map>Open the map</map>',
  'checkout.pay.term': 'To pay',
  'checkout.pay': 'Nothing now, and no card.',
  'checkout.contact.term': 'For',
  'checkout.contact': '{email}, {phone}',

  // The page where a code is typed

  // The pages of a move

  // Open times, other times, and the pages under /book

  // The form of a hold, and its mistakes

  // Why a hold is refused

  // Pages of errors

  // The front page

  // Privacy, reminders

  // Mails: subjects

  // Mails about a session that will take place

  // Mails about one that will not

  // Mails with a code

  // Parts of several mails

  // Times, durations and numbers
  'time.hours': '{start}\u00a0– {end}',
  'time.session': '{day}, {hours}',
  'time.moment': '{day} at {time}',
  // In large letters: three lines, and a fine one for the zone.
  'time.large':
    '<first>{weekday}, </first><second>{month}\u00a0{day}, <small>{year}</small> </second><third>{hours} </third><fine>{zone}</fine>',
  'time.artist': ' with {artist}',
  'time.with_artist': '{time} with {artist}',
  'time.minutes': '{minutes, plural, one {a minute} other {# minutes}}',
  'time.minutes_left': '{minutes, plural, one {one more minute} other {# more minutes}}',

  // The view shown in chats
  'view.waiting.title': 'One moment, please',
  'view.retry': 'Try again',
  'view.try_again':
    '{wait, select, none {Please try again.} seconds {Please try again {count, plural, one {in a second} other {in # seconds}}.} other {Please try again in {count, plural, other {# minutes}}, at {time}.}}',
  'view.not_connected': 'This chat cannot show the open times here.',
  'view.not_readable': 'This answer cannot be shown here. The assistant can read it to you.',
  'view.when.zone': '{zone}, {year}',

  'view.times.title.unread': 'Open times',
  'view.times.title': '{days, plural, =0 {Nothing is open} other {Open times}}',
  'view.times.title.artist':
    '{days, plural, =0 {Nothing is open with {artist}} other {Open times with {artist}}}',
  'view.times.clock': 'These are on the studio’s clock: {zone}.',
  'view.times.clock.yours': 'Yours shows {zone}.',
  'view.times.ask': 'Tell the assistant which time you would like.',
  'view.times.dates': '{first} to {last}',
  'view.times.none': 'No session is open on these dates: {dates}.',
  'view.times.no_more': 'Nothing more is open, {dates}.',
  'view.times.time': '{time} on {day}',
  'view.times.more_days': '{days, plural, one {Show # more day} other {Show # more days}}',
  'view.times.later_dates': 'Look at later dates',
  'view.times.reading': 'Looking…',
  'view.times.refused.cancelled': 'The assistant stopped before the studio answered.',
  'view.times.refused.rate_limited': 'The open times cannot be read again yet.',
  'view.times.refused.artist': 'The studio has no such artist who takes bookings.',
  'view.times.refused.dates': 'These dates cannot be shown.',
  'view.times.refused': 'The open times could not be read.',

  'view.artists.button': 'Choose an artist',
  'view.artists.list': 'Artists',
  'view.artists.anyone': 'Anyone',
  'view.artists.refused': 'Who works here could not be read. Please try again in a minute.',

  'view.form.title': 'Hold this time',
  'view.form.title.refused': 'Nothing is held yet',
  'view.form.name': 'Your name',
  'view.form.email': 'Your e-mail address',
  'view.form.phone': 'Your phone number',
  'view.form.phone.hint': 'A US number, such as (555) 555-0142.',
  'view.form.optional': 'Pronouns and your idea (optional)',
  'view.form.pronouns': 'Your pronouns',
  'view.form.idea': 'Your idea',
  'view.form.idea.hint': 'What you would like, where on the body, how large.',
  'view.form.terms':
    'The studio holds the time for you for a few minutes, and you confirm it on its page. Booking is free.',
  'view.form.button': 'Hold this time',
  'view.form.sending': 'Holding it…',
  'view.form.back': 'Choose another time',
  'view.form.name.missing': 'Please type your name.',
  'view.form.email.missing': 'Please type your e-mail address.',
  'view.form.phone.missing': 'Please type your phone number.',
  'view.form.name.mistaken': 'Please type your name as letters that can be seen, 120 at most.',
  'view.form.email.mistaken': 'This is not an e-mail address. One looks like ada@example.com.',
  'view.form.phone.mistaken': 'Please type a US phone number: ten digits, such as (555) 555-0142.',
  'view.form.pronouns.mistaken': 'Please type at most 40 characters.',
  'view.form.idea.mistaken': 'Please type at most 2,000 characters.',

  'view.refused.without_tools': 'The studio has not held it. The assistant can tell you why.',
  'view.refused.invalid': 'The studio cannot hold this time. Please choose another one.',
  'view.refused.rate_limited': 'You cannot hold more times for now.',
  'view.refused.too_many': 'Too many times are held right now.',
  'view.refused.typed': 'What you typed is still here.',
  'view.refused.cancelled':
    'The assistant stopped before the studio answered. You can hold it here.',
  'view.refused.no_answer': 'The studio has not answered as it should.',
  'view.refused.press_again':
    '{wait, select, none {Please press the button again: it holds the time once, however often you press.} seconds {Please press the button again {count, plural, one {in a second} other {in # seconds}}: it holds the time once, however often you press.} other {Please press the button again in {count, plural, other {# minutes}}, at {time}: it holds the time once, however often you press.}}',

  'view.taken.title': 'That time is not free',
  'view.taken.no_others': 'It may just have been taken. Please choose another time.',
  'view.taken.others': 'It may just have been taken. These are open.',
  'view.taken.press': 'One press holds one of them with what you have typed.',
  'view.taken.ask': 'Tell the assistant which of them you would like.',

  'view.page.title': 'Hold this time on the studio’s page',
  'view.page.lead':
    'Nothing is held yet. The page holds it with this artist once you press its button.',
  'view.page.button': 'Open the studio’s page',
  'view.page.opened': 'Go on at the page that has opened.',

  'view.held.title': 'Held for you, not confirmed yet',
  'view.held.lead': 'Held until {time} {zone}. Only you can confirm it, on the studio’s page.',
  'view.held.button': 'Open the page that confirms it',
  'view.held.opened': 'Confirm it on the page that has opened. This view shows when you have.',
  'view.held.minutes_left':
    '{minutes, plural, one {# minute is left to confirm.} other {# minutes are left to confirm.}}',
  'view.link.at': 'The page is at {host}.',
  'view.link.none': 'Ask the assistant for the link.',
  'view.link.not_opened': 'The chat has not opened the page. Copy the address into your browser.',
  'view.link.address': 'Copy this address into your browser',
  'view.link.copy': 'Copy',
  'view.link.copied': 'Copied',
  'view.link.copied.announcement': 'The address is copied.',
  'view.link.selected': 'Selected',
  'view.link.selected.announcement': 'The address is selected.',

  'view.ended.announcement': '{title}. {lead}',
  'view.confirmed.title': 'Confirmed',
  'view.confirmed.lead': 'The session is yours. See you then.',
  'view.cancelled.title': 'This is cancelled',
  'view.cancelled.lead': 'The time is not held for you any more.',
  'view.expired.title': 'The hold has ended',
  'view.expired.lead': 'Nothing is booked.',
  'view.expired.lead.by_clock': 'Unless you have confirmed it, nothing is booked.',
  'view.ended.press': 'If the time is still free, one press holds it again.',
  'view.ended.ask': 'Tell the assistant if you would like another one.',
  'view.ended.again': 'Hold it again',
  'view.ended.others': 'See other times',
} as const;
