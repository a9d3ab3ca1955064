import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { trees } from '#kit/browser/gallery/trees.ts';
import { FilterChip, FilterOptionChip } from './FilterChip.tsx';

const nothing = () => undefined;

export const filterChip: Section = {
  name: 'FilterChip',
  states: {
    'A filter that is set': <FilterChip label="Side" value="North" onRemove={nothing} />,
    'With its control': (
      <FilterChip label="Shade" value="North" onRemove={nothing}>
        <p>The choice of a shade</p>
      </FilterChip>
    ),
    'Long words': <FilterChip label="Side of the garden" value={longWords} onRemove={nothing} />,
  },
};

export const filterOptionChip: Section = {
  name: 'FilterOptionChip',
  states: {
    'An entry of a list': <FilterOptionChip label="Tree" options={trees.few} value="3" onRemove={nothing} />,
  },
};
