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
  'open_times.heading': 'Open times in {month}',
  'open_times.months': 'Months',
  'open_times.month': '{month} <count>{open, plural, other {# open}}</count>',
  'open_times.length': 'A session takes about {hours, plural, one {# hour} other {# hours}}.',
  'open_times.first': 'The first begins on {moment}.',
  'open_times.none': 'Nothing is open in {month}. Please try another month.',
  'open_times.slot': '{time} on {day}',
  'open_times.zone': 'All times are the studio’s, in {city}.',
  'open_times.artists': 'Artists',
  'open_times.artists.anyone': 'Anyone',
  'other_times.same_time': 'At {time} on other days',
  'other_times.same_day': 'On the same day',
  'other_times.others': 'Other times',
  'book.description': 'Choose an open time at {studio}, and book it. Booking is free.',
  'book.title': 'Book a session',
  'book.title.day': 'Book on {day}',
  'book.lead':
    'Choose a time. We hold it for you for {minutes, plural, one {a minute} other {# minutes}} while you confirm. Booking is free.',
  'book.lead.none':
    'Nothing is open at the moment. Times open again after a cancellation, and as new dates come up.',
  'book.day_closed.title': 'That day is not open',
  'book.day_closed': 'Nothing is open on {day}.',
  'book.not_understood.title': 'Choose a time',
  'book.not_understood': 'We did not understand which time you chose. Nothing is held.',
  'book.choose_other_time': 'Please choose another one.',
  'book.choose_artist': 'Please choose one of these.',
  'book.show_all': 'Show all open times',
  'book.assistants':
    'Your assistant can hold a time for you, too. <guide>What assistants need to know</guide>',
  'book.filter': 'Only some days or times',
  'book.filter.chosen': 'Only {choices}',
  'book.filter.days': 'Days',
  'book.filter.times': 'Times of day',
  'book.filter.button': 'Show these',
  'own_hold.held.heading': 'You are holding a time',
  'own_hold.held': '{session} is held for you until {end}, and is not confirmed yet.',
  'own_hold.held.open': 'Go on and confirm',
  'own_hold.held.release': 'Let it go',
  'own_hold.booked.heading': 'You have booked this time',
  'own_hold.booked': 'Your session on {session} is confirmed.',
  'own_hold.booked.open': 'Open my booking',
  'own_hold.not_me': 'Not me',

  // The form of a hold, and its mistakes
  'form.title': 'Book this time',
  'form.where': '{address}, our address from {day}',
  'form.other_times': 'These are open. Choose one, and hold it with what you have typed.',
  'form.optional': '(optional)',
  'form.name': 'Your name',
  'form.email': 'Your e-mail address',
  'form.email.hint.none': 'Please check it: it cannot be changed later.',
  'form.email.hint.confirmation':
    'We mail your confirmation there. Please check it: it cannot be changed later.',
  'form.email.hint.code':
    'We mail you a code there, which you need to confirm. Please check it: it cannot be changed later.',
  'form.phone': 'Your phone number',
  'form.phone.hint': 'A US number, such as (555) 555-0142. Without one, write to {email}.',
  'form.pronouns': 'Your pronouns',
  'form.pronouns.hint': 'For example she/her.',
  'form.idea': 'Your idea',
  'form.idea.hint':
    'What you would like, where on the body, and about how large. At most {limit, number} characters.',
  'form.terms':
    'We hold the time for you for {minutes, plural, one {a minute} other {# minutes}}, and you confirm it on the next page. Booking is free.',
  'form.hold': 'Hold this time',
  'form.hold.chosen': 'Hold the time you chose',
  'form.replace': 'Let it go, and hold it with these details',
  'form.choose_another': 'Choose another time',
  'form.questions': 'Questions? Write to {email} or call {phone}.',
  'form.mistakes.title': 'Something needs correcting',
  'form.mistakes':
    '{count, plural, one {One answer needs correcting.} other {# answers need correcting.}} Nothing is held yet.',
  'mistake.missing.name': 'Please type your name.',
  'mistake.missing.email': 'Please type your e-mail address.',
  'mistake.missing.phone': 'Please type your phone number.',
  'mistake.wrong.email': 'This is not an e-mail address. One looks like ada@example.com.',
  'mistake.wrong.phone': 'Please type a US phone number: ten digits, such as (555) 555-0142.',
  'mistake.characters.name':
    'Some characters in your name cannot be stored. Please leave them out.',
  'mistake.characters.pronouns':
    'Some characters in your pronouns cannot be stored. Please leave them out.',
  'mistake.characters.idea':
    'Some characters in your idea cannot be stored. Please leave them out.',
  'mistake.too_long.name':
    'Your name can have at most {limit, number} characters; there are {length, number}.',
  'mistake.too_long.pronouns':
    'Your pronouns can have at most {limit, number} characters; there are {length, number}.',
  'mistake.too_long.idea':
    'Your idea can have at most {limit, number} characters; there are {length, number}.',

  // Why a hold is refused
  'not_open.no_session.title': 'That time is not open',
  'not_open.no_session': 'We have no session on {time}.',
  'not_open.past.title': 'That time is over',
  'not_open.past': '{time} has passed.',
  'not_open.too_soon.title': 'That time is too soon',
  'not_open.too_soon': '{time} is too soon to be booked.',
  'not_open.too_far.title': 'That time is too far ahead',
  'not_open.too_far': '{time} cannot be booked yet.',
  'not_open.taken.title': 'That time has been taken',
  'not_open.taken': '{time} is no longer free.',
  'artist.unknown.title': 'We do not know this artist',
  'artist.unknown': 'There is no artist like that.',
  'artist.unknown.named': 'There is no artist called “\u2068{name}\u2069”.',
  'artist.hidden.title': 'This artist takes no bookings now',
  'artist.hidden': '\u2068{name}\u2069 takes no new bookings.',
  'other_session.title': 'You have another session then',
  other_session:
    'You already have a session at that time: {session}. One person has one session at a time; the page of that booking changes its artist or its time.',
  'refusal.nothing_new': 'Nothing new is held; what you typed is still here.',
  'refusal.let_go': 'What you held before is let go.',
  'refusal.rate_limited.title': 'No more holds for now',
  'refusal.rate_limited':
    'Please press the button again in {minutes, plural, one {a minute} other {# minutes}}, or ask us.',
  'refusal.too_many_holds.title': 'Too many times are held right now',
  'refusal.too_many_holds':
    'We hold only a limited number of times for people who are still deciding. Please press the button again in {minutes, plural, one {a minute} other {# minutes}}.',
  'refusal.unexpected.title': 'Something went wrong on our side',
  'refusal.unexpected':
    'Please press the button again in a moment: it holds the time once, however often you press. What you typed is still here.',
  'refusal.none_chosen.title': 'Choose a time',
  'refusal.none_chosen': 'You have not chosen one of the times that are open.',
  'refusal.free_again': '{time} is free again, too.',
  'refusal.artist_lost': 'Press the button again to hold the time with whoever is free.',
  'refusal.held_already.title': 'You already hold this time',
  'refusal.held_already':
    'You can go on with the details that you gave then, or let it go and hold it with those below.',
  'refusal.booked_already.title': 'You have booked this time',
  'refusal.booked_already': 'If you would like one more session, choose another time.',
  'limit.requests': 'There were too many requests from your internet connection.',
  'limit.holds':
    'As many times were held from your internet connection as we allow within an hour.',
  'limit.bookings': 'You have as many sessions held or booked as we allow at once.',
  'limit.artist':
    'From your internet connection, a third of this artist’s open times of that week are held already. Another artist or another week may have room for you.',

  // Pages of errors
  'error.again': 'Try again',
  'error.choose_time': 'Choose a time',
  'error.front_page': 'Go to the front page',
  'error.reference': 'Reference: {id}',
  'error.no_page.title': 'There is no such page',
  'error.no_page': '<p>The address may be mistyped, or the page has moved.</p>',
  'error.not_found.title': 'We do not know this link',
  'error.not_found':
    '<p>It may be incomplete. Open it again from the message that it came in, or copy all of it, to the last letter.</p><p>A booking has a new link once we have corrected its e-mail address: look for it in your mail from us.</p><p>If it still does not open, ask for a new link where you got this one, or ask us.</p>',
  'error.forbidden.title': 'Please press the button yourself',
  'error.forbidden':
    '<p>Only you can do this, on our own page. Open your booking link in your browser, and press the button there.</p><p>If you are an automated agent: stop here, and give the link to the person you book for.</p>',
  'error.origin_mismatch.title': 'This page is open at another address',
  'error.origin_mismatch':
    '<p>This page was not opened at the studio’s own address, {address}, and its buttons work only there. Nothing has changed. Open the page at that address, and press the button again.</p><p>If you run this service: set PUBLIC_BASE_URL to the address at which people open it.</p>',
  'error.not_understood.title': 'We did not understand that',
  'error.not_understood': '<p>Open the page again, and use its buttons.</p>',
  'error.method_not_allowed.title': 'This address shows nothing',
  'error.method_not_allowed':
    '<p>It belongs to a button of a page. Open the page again, and press the button there.</p>',
  'error.payload_too_large.title': 'That is too much text',
  'error.payload_too_large':
    '<p>We cannot read a form that long. Go back, and shorten what you typed.</p>',
  'error.too_many_pending_holds.title': 'Too many times are held right now',
  'error.too_many_pending_holds':
    '<p>We hold only a limited number of times for people who are still deciding. Go back and try again in {minutes, plural, one {a minute} other {# minutes}}; your details are kept.</p>',
  'error.rate_limited.title': 'Please try again later',
  'error.rate_limited':
    '<p>{cause} Please try again in {minutes, plural, one {a minute} other {# minutes}}.</p><p>Your bookings are not affected. If it is urgent, write to us or call.</p>',
  'error.service_unavailable.title': 'We cannot reach our calendar',
  'error.service_unavailable':
    '<p>This is a problem on our side, and usually a short one. Your bookings are safe, and a time that is held for you stays held until its end.</p><p>Please load this page again in a moment.</p>',
  'error.unexpected.title': 'Something went wrong on our side',
  'error.unexpected':
    '<p>We have recorded the error. Please load the page again in a moment; it shows the state of your booking.</p><p>If it happens again, write to us and quote the reference below.</p>',

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
