import { type ReactNode, useState } from 'react';
import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { FilterChoice } from './FilterChoice.tsx';
import { FilterDay } from './FilterDay.tsx';
import { SearchBox } from './SearchBox.tsx';

interface Props {
  first: string;
  children: (value: string, change: (value: string) => void) => ReactNode;
}

/** A filter in the filter row of a list, with its choice. */
function Filter({ first, children }: Props) {
  const [value, setValue] = useState(first);
  return <div className="filters">{children(value, setValue)}</div>;
}

export const filterChoice: Section = {
  name: 'FilterChoice',
  states: {
    'Nothing chosen': (
      <Filter first="">
        {(value, change) => (
          <FilterChoice label="Side" value={value} all="Every side" onChange={change}>
            <option>North</option>
            <option>South</option>
          </FilterChoice>
        )}
      </Filter>
    ),
    'One is always chosen': (
      <Filter first="South">
        {(value, change) => (
          <FilterChoice label="Side" value={value} onChange={change}>
            <option>North</option>
            <option>South</option>
          </FilterChoice>
        )}
      </Filter>
    ),
    'Long words': (
      <Filter first={longWords}>
        {(value, change) => (
          <FilterChoice label="Side of the garden that the trees stand on" value={value} onChange={change}>
            <option>{longWords}</option>
          </FilterChoice>
        )}
      </Filter>
    ),
  },
};

export const filterDay: Section = {
  name: 'FilterDay',
  states: {
    Empty: <Filter first="">{(value, change) => <FilterDay label="As on" value={value} onChange={change} />}</Filter>,
    Filled: (
      <Filter first="2026-11-21">
        {(value, change) => (
          <FilterDay label="As on" value={value} min="2026-06-01" max="2027-05-31" onChange={change} />
        )}
      </Filter>
    ),
  },
};

export const searchBox: Section = {
  name: 'SearchBox',
  states: {
    Empty: (
      <Filter first="">
        {(value, change) => (
          <SearchBox label="Search trees" placeholder="Name or number" value={value} onSearch={change} />
        )}
      </Filter>
    ),
    Filled: (
      <Filter first={longWords}>
        {(value, change) => <SearchBox label="Search trees again" value={value} onSearch={change} />}
      </Filter>
    ),
  },
};
