import { useState } from 'react';
import type { Section } from '#kit/browser/gallery/section.tsx';
import { trees } from '#kit/browser/gallery/trees.ts';
import { FilterOption, FilterSearch } from './FilterOption.tsx';
import { Filters } from './Filters.tsx';

function Narrowed({ list, first }: { list: 'few' | 'many'; first: string }) {
  const [value, setValue] = useState(first);
  return (
    <Filters>
      <FilterOption label="Tree" options={trees[list]} value={value} all="All" onChange={setValue} />
    </Filters>
  );
}

export const filterOption: Section = {
  name: 'FilterOption',
  states: {
    'A short list': <Narrowed list="few" first="" />,
    'A long list': <Narrowed list="many" first="3" />,
  },
};

export const filterSearch: Section = {
  name: 'FilterSearch',
  states: {
    'One is always chosen': (
      <Filters>
        <FilterSearch
          label="Tree"
          options={trees.many}
          chosen={{ value: '3', label: 'Oak' }}
          onChoose={() => undefined}
        />
      </Filters>
    ),
  },
};
