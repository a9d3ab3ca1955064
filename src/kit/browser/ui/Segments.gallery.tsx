import { useState } from 'react';
import type { Section } from '#kit/browser/gallery/section.tsx';
import { longWords } from '#kit/browser/gallery/section.tsx';
import { Segments } from './Segments.tsx';

function Chosen({ words }: { words: readonly string[] }) {
  const [value, setValue] = useState(words[0] ?? '');
  return (
    <Segments
      label={words.join(' or ')}
      value={value}
      options={words.map((word) => ({ value: word, label: word }))}
      onChange={setValue}
    />
  );
}

export const segmentsSection: Section = {
  name: 'Segments',
  states: {
    'Two choices': <Chosen words={['To Sunil Parmar', 'Internal note']} />,
    'Long words': <Chosen words={[longWords, 'Month']} />,
  },
};
