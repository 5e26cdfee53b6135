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
} as const;
