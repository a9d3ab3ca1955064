import { type ReactNode, useState } from 'react';
import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { FilterChoice } from './FilterChoice.tsx';
import { FilterDay } from './FilterDay.tsx';
import { Filter, Filters, FiltersButton } from './Filters.tsx';
import { SearchBox } from './SearchBox.tsx';

interface Props {
  first: string;
  children: (value: string, change: (value: string) => void) => ReactNode;
}

/** A filter in the filter row of a list, with its choice. */
function Line({ first, children }: Props) {
  const [value, setValue] = useState(first);
  return <Filters>{children(value, setValue)}</Filters>;
}

export const filterChoice: Section = {
  name: 'FilterChoice',
  states: {
    'Nothing chosen': (
      <Line first="">
        {(value, change) => (
          <FilterChoice label="Side" value={value} all="Every side" onChange={change}>
            <option>North</option>
            <option>South</option>
          </FilterChoice>
        )}
      </Line>
    ),
    'One is always chosen': (
      <Line first="South">
        {(value, change) => (
          <FilterChoice label="Side" value={value} onChange={change}>
            <option>North</option>
            <option>South</option>
          </FilterChoice>
        )}
      </Line>
    ),
    'Long words': (
      <Line first={longWords}>
        {(value, change) => (
          <FilterChoice label="Side of the garden that the trees stand on" value={value} onChange={change}>
            <option>{longWords}</option>
          </FilterChoice>
        )}
      </Line>
    ),
  },
};

export const filterDay: Section = {
  name: 'FilterDay',
  states: {
    Empty: <Line first="">{(value, change) => <FilterDay label="As on" value={value} onChange={change} />}</Line>,
    Filled: (
      <Line first="2026-11-21">
        {(value, change) => (
          <FilterDay label="As on" value={value} min="2026-06-01" max="2027-05-31" onChange={change} />
        )}
      </Line>
    ),
  },
};

export const searchBox: Section = {
  name: 'SearchBox',
  states: {
    Empty: (
      <Line first="">
        {(value, change) => (
          <SearchBox label="Search trees" placeholder="Name or number" value={value} onSearch={change} />
        )}
      </Line>
    ),
    Filled: (
      <Line first={longWords}>
        {(value, change) => <SearchBox label="Search trees again" value={value} onSearch={change} />}
      </Line>
    ),
  },
};

export const filters: Section = {
  name: 'Filters',
  states: {
    'In a line': (
      <Filters>
        <Filter id="filters-height" label="Height">
          <input id="filters-height" className="box" />
        </Filter>
        <Filter id="filters-side" label="Side of the garden that the trees stand on">
          <select id="filters-side" className="box">
            <option>{longWords}</option>
          </select>
        </Filter>
      </Filters>
    ),
  },
};

export const filtersButton: Section = {
  name: 'FiltersButton',
  states: {
    'None is set': <FiltersButton count={0} isOpen={false} onToggle={() => undefined} />,
    'Two are set': <FiltersButton count={2} isOpen onToggle={() => undefined} />,
  },
};
