import windowsZones from 'cldr-core/supplemental/windowsZones.json' with { type: 'json' };

/** The file with the table of CLDR by which Windows' names of time zones are those of IANA. */
export function emitWindowsZones(): string {
  const { mapTimezones } = windowsZones.supplemental.windowsZones;
  const entries = mapTimezones
    // That of the world is the zone for a name without a country.
    .filter(({ mapZone }) => mapZone._territory === '001')
    .map(({ mapZone }) => [mapZone._other.toLowerCase(), mapZone._type]);
  return `// Made from cldr-core by \`npm run generate\`; never edited by hand.

/** Names of time zones in Windows, in lower case, with those of the IANA database. */
export const windowsZones: ReadonlyMap<string, string> = new Map(${JSON.stringify(entries)});
`;
}
