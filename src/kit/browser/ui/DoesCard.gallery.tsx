import { IconId, IconUsers } from '@tabler/icons-react';
import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { Button } from './Button.tsx';
import { DoesCard } from './DoesCard.tsx';

export const doesCard: Section = {
  name: 'DoesCard',
  states: {
    Usual: (
      <DoesCard
        title="Plant the oak"
        lines={[
          { key: 'number', Icon: IconId, words: 'The oak gets number 2008.' },
          { key: 'told', Icon: IconUsers, words: 'Two gardeners get a message.' },
        ]}
        foot="It can be undone today."
      >
        <Button kind="main">Plant</Button>
      </DoesCard>
    ),
    'Long words': <DoesCard lines={[{ key: 'long', Icon: IconId, words: longWords }]} />,
  },
};
