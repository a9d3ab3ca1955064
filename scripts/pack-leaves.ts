/** What is left out of the folder that `npm run pack` writes, and why. */
const leaves: readonly [pattern: RegExp, why: string][] = [
  [/\.(test|spec|types)\.tsx?$/, 'Tests run from a clone.'],
  [/^src\/features\/[^/]+\/(matrix|examples)\.ts$|acceptance\.txt$/, 'Read by tests only.'],
  [/^src\/app\/backup\/archives(\/|$)/, 'Schools of earlier versions, for tests.'],
  // The server says the words of some catalogues, and shows an Admin all that families read.
  [
    /^src\/.*\.(tsx|css)$|^src\/locales\/(?!(words(\/|$)|(consent|form|end|family|family-more)(\/(gu|hi)\.po)?$))|^src\/kit\/browser(\/|$)/,
    'Built into dist.',
  ],
  [/^src\/features\/[^/]+\/(pages\/|ui(\/|$))/, 'Built into dist.'],
  [
    /^src\/kit\/server\/paper\/gallery(\/|$)|^dist\/(kit|\.stamp)(\/|$)/,
    'Shown by the gallery of the kit, outside production.',
  ],
  [/^database\/migrations\.lock$/, 'Guards migrations while they are written.'],
  [/^node_modules\/(.*\/)?@types(\/|$)|\.d\.[cm]?ts$/, 'Types are for editors.'],
  [/^node_modules\/.*\.map$/, 'Sources of packages are for debuggers.'],
  [/^node_modules\/@napi-rs\/canvas/, 'Nothing is drawn: PDFs are read for their structure.'],
  [
    /^node_modules\/pdfjs-dist\/(?!package\.json$|LICENSE$|legacy(\/build(\/pdf(\.worker)?\.mjs)?)?$)./,
    'The two files that read PDFs are enough.',
  ],
  [/^node_modules\/zod\/src(\/|$)/, 'Built beside it.'],
];

/** Read as text when the server starts: which module a page is in (`src/app/ahead.ts`). */
const isRead = /^src\/features\/[^/]+\/pages(\/feature\.tsx)?$/;

/** Whether a file is left out of what is copied from a place. */
export const isLeft = (path: string, place: string): boolean =>
  path !== place &&
  !isRead.test(path) &&
  // Packages in packages are copied from their own places.
  (/(^|\/)node_modules(\/|$)/.test(path.slice(place.length)) || leaves.some(([pattern]) => pattern.test(path)));
