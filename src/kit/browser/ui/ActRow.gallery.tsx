import { IconPhone } from '@tabler/icons-react';
import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { ActRow, ActRows } from './ActRow.tsx';
import { Button, ServedButton } from './Button.tsx';

const icon = <IconPhone size={18} aria-hidden />;

export const actRow: Section = {
  name: 'ActRow',
  states: {
    Usual: (
      <ActRows>
        <ActRow
          icon={icon}
          title="Nitya Kothari"
          to="/dev/kit"
          about="Surat"
          late="2 days late"
          detail="Call after Diwali"
        >
          <Button>Reached</Button>
          <Button>No answer</Button>
        </ActRow>
        <ActRow icon={icon} title="Diya Rathod" to="/dev/kit" about="Room 1" detail="Form submitted on 17 Nov 2026">
          <ServedButton to="/dev/kit">Review</ServedButton>
        </ActRow>
      </ActRows>
    ),
    'Without acts': (
      <ActRows>
        <ActRow title="Diwali vacation" detail="9 Nov 2026" />
      </ActRows>
    ),
    'Long words': (
      <ActRows>
        <ActRow icon={icon} title={longWords} about="Room 1" detail={longWords}>
          <Button>Review</Button>
        </ActRow>
      </ActRows>
    ),
  },
};
