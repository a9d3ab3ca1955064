import type { Section } from '#kit/browser/gallery/section.tsx';
import { ScrollFrame } from './ScrollFrame.tsx';

const table = (columns: number, label: string) => (
  <ScrollFrame label={label}>
    <table>
      <thead>
        <tr>
          <th scope="col">Tree</th>
          {Array.from({ length: columns }, (_, index) => String(1988 + index)).map((year) => (
            <th key={year} scope="col">
              {year}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {['Oak', 'Elm'].map((name) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {Array.from({ length: columns }, (_, index) => String(1988 + index)).map((year) => (
              <td key={year}>21 m</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollFrame>
);

export const scrollFrame: Section = {
  name: 'ScrollFrame',
  states: {
    'All of it fits': table(3, 'Height of each tree'),
    'More columns than fit': table(40, 'Height of each tree in each year'),
  },
};
