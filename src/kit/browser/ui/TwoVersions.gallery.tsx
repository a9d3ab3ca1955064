import { longLabel, longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { TwoVersions } from './TwoVersions.tsx';

const choice = { onSaved: () => undefined, onMine: () => undefined };

export const twoVersions: Section = {
  name: 'TwoVersions',
  states: {
    'One value differs': <TwoVersions differences={[{ label: 'Name', saved: 'Oak', mine: 'Old oak' }]} {...choice} />,
    'Long words, and an empty value': (
      <TwoVersions differences={[{ label: longLabel, saved: longWords, mine: '' }]} {...choice} />
    ),
    'The same values': <TwoVersions differences={[]} {...choice} />,
  },
};
