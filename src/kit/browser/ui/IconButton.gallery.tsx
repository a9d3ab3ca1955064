import { IconDots, IconHistory, IconPlus } from '@tabler/icons-react';
import { longLabel, type Section } from '#kit/browser/gallery/section.tsx';
import { IconButton } from './IconButton.tsx';

export const iconButton: Section = {
  name: 'IconButton',
  states: {
    Usual: (
      <IconButton label="Plant a tree">
        <IconPlus size={20} aria-hidden />
      </IconButton>
    ),
    'At the end of a row': (
      <IconButton label="Actions for Oak" isSmall>
        <IconDots size={18} aria-hidden />
      </IconButton>
    ),
    Disabled: (
      <IconButton label="Next season" aria-disabled>
        <IconPlus size={20} aria-hidden />
      </IconButton>
    ),
    'Long words': (
      <IconButton label={longLabel} tip={longLabel}>
        <IconHistory size={16} aria-hidden />
      </IconButton>
    ),
  },
};
