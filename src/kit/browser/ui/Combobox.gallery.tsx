import { type ComponentProps, useState } from 'react';
import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { trees } from '#kit/browser/gallery/trees.ts';
import { type Choice, Combobox } from './Combobox.tsx';

interface Props extends Pick<ComponentProps<typeof Combobox>, 'options' | 'aria-invalid'> {
  id: string;
  first?: Choice;
}

function Tree({ id, first, ...rest }: Props) {
  const [chosen, setChosen] = useState(first);
  return (
    <>
      <label htmlFor={id}>Tree</label>
      <Combobox id={id} {...rest} chosen={chosen} onChoose={setChosen} />
    </>
  );
}

export const combobox: Section = {
  name: 'Combobox',
  states: {
    Empty: <Tree id="tree-empty" options={trees.many} />,
    Chosen: <Tree id="tree-chosen" options={trees.many} first={{ value: '3', label: 'Oak' }} />,
    Wrong: <Tree id="tree-wrong" options={trees.many} aria-invalid />,
    'Nothing matches': <Tree id="tree-none" options={trees.none} />,
    Loading: <Tree id="tree-slow" options={trees.slow} />,
    'The server is away': <Tree id="tree-away" options={trees.away} />,
    'Long words': <Tree id="tree-long" options={trees.many} first={{ value: '4', label: longWords }} />,
  },
};
