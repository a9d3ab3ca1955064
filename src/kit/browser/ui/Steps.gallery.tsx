import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { Steps } from './Steps.tsx';

export const steps: Section = {
  name: 'Steps',
  states: {
    First: <Steps label="Application" steps={['Form', 'Review', 'Offer']} current={0} />,
    'In the middle': <Steps label="Application" steps={['Form', 'Review', 'Offer']} current={1} />,
    Done: <Steps label="Application" steps={['Form', 'Review', 'Offer']} current={3} />,
    'Long words': <Steps label="Application" steps={['Form', longWords, 'Offer']} current={1} />,
  },
};
