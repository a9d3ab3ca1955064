import { longLabel, longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { Button } from './Button.tsx';
import { StageStrip } from './StageStrip.tsx';

const stages = [
  { name: 'Seed', detail: '17 Nov' },
  { name: 'Sapling', detail: 'today, 10:30' },
  { name: 'Planted', detail: 'by 5 Dec' },
];

export const stageStrip: Section = {
  name: 'StageStrip',
  states: {
    Usual: (
      <StageStrip
        label="Stages of the oak"
        stages={stages}
        current={1}
        now={
          <>
            <b>The sapling is ready.</b> 1 of 2 gardeners has looked at it.
          </>
        }
        detail="Then it can be planted."
        act={<Button kind="main">Enter height…</Button>}
      />
    ),
    Skipped: (
      <StageStrip
        label="Stages of the fir"
        stages={stages.map((stage, place) => (place === 1 ? { ...stage, detail: 'skipped', isSkipped: true } : stage))}
        current={2}
        now="The tree is planted next."
      />
    ),
    Done: <StageStrip label="Stages of the elm" stages={stages} current={3} now="Nothing is left to do." />,
    'Long words': (
      <StageStrip
        label="Stages of the ash"
        stages={[{ name: longWords, detail: longWords }, ...stages]}
        current={0}
        now={longWords}
        detail={longWords}
        act={<Button>{longLabel}</Button>}
      />
    ),
  },
};
