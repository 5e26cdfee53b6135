/** Invented people, with e-mail addresses and numbers that are reserved for examples. */
export interface Person {
  name: string;
  email: string;
  phone: string;
  pronouns: string | null;
  idea: string;
}

const names = [
  'Ada Park',
  'Bao Nguyen',
  'Carmen Ruiz',
  'Dele Okafor',
  'Elif Kaya',
  'Finn Halvorsen',
  'Grace Lindqvist',
  'Hana Mori',
  'Ines Duarte',
  'Jonah Weiss',
  'Kavya Rao',
  'Luca Bianchi',
  'Maya Silverstein',
  'Noor Haddad',
  'Otis Freeman',
  'Priya Desai',
];
const ideas = [
  'A night heron standing in reeds, fine line, on the forearm.',
  'Three fern fronds around the ankle.',
  'A small moth behind the ear.',
  'Blackwork mountains, palm-sized, on the calf.',
  'My grandmother’s handwriting, one word.',
];

let next = 0;

/** The next person in turn; after the last, the first again. */
export function nextPerson(): Person {
  const index = next++;
  const name = names[index % names.length] ?? 'Ada Park';
  const [first = ''] = name.toLowerCase().split(' ');
  return {
    name,
    // A different address for each person, since codes are limited per mailbox.
    email: `${first}${index < names.length ? '' : index}@example.com`,
    phone: `555555${String(100 + (index % 100)).padStart(4, '0')}`,
    pronouns: index % 3 === 0 ? 'they/them' : null,
    idea: ideas[index % ideas.length] ?? '',
  };
}
