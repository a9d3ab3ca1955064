import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { Button } from './Button.tsx';
import { Story, Ticked } from './Story.tsx';

const open = (
  <Button kind="quiet" edge="end">
    Open
  </Button>
);

export const story: Section = {
  name: 'Story',
  states: {
    Usual: (
      <Story label="Story of the oak">
        <Ticked mark="done" topic="Seed" act={open}>
          <p>Received 17 Nov, sown 20 Nov</p>
          <p className="soft">All of them came up.</p>
        </Ticked>
        <Ticked mark="due" topic="Water" act={open}>
          <p>4 of 5 days</p>
        </Ticked>
        <Ticked mark="now" topic="Sapling">
          <p>Today, 10:30, north side</p>
        </Ticked>
        <Ticked mark="coming" topic="Place">
          <p>3 free of 60</p>
        </Ticked>
      </Story>
    ),
    'With strong topics': (
      <Story label="Checks of the elm">
        <Ticked isStrong mark="done" topic="Leaves" act={open}>
          <p>Green</p>
        </Ticked>
        <Ticked isStrong mark="due" topic="Bark" act={open}>
          <p>Broken at two places</p>
        </Ticked>
      </Story>
    ),
    'Long words': (
      <Story label="Story of the ash">
        <Ticked mark="now" topic={longWords} act={open}>
          <p>{longWords}</p>
        </Ticked>
      </Story>
    ),
  },
};
