import { IconArrowsExchange, IconCalendarEvent, IconCircleX } from '@tabler/icons-react';
import { longLabel, type Section } from '#kit/browser/gallery/section.tsx';
import { ActMenu } from './ActMenu.tsx';

const nothing = () => undefined;

export const actMenu: Section = {
  name: 'ActMenu',
  states: {
    Usual: (
      <ActMenu
        label="More for the oak"
        groups={[
          [{ words: 'Another day…', Icon: IconCalendarEvent, shortcut: 'd', run: nothing }],
          [
            { words: 'Change place…', Icon: IconArrowsExchange, whyNot: 'No place is free.', run: nothing },
            { words: longLabel, Icon: IconArrowsExchange, run: nothing },
          ],
          [{ words: 'Fell…', Icon: IconCircleX, isEnd: true, run: nothing }],
        ]}
      />
    ),
  },
};
