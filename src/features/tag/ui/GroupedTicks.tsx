import { ChoiceRow, ChoiceRows } from '#kit/browser/form/choices.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';

interface Props {
  /** The field, which has the ids of what is ticked. */
  name: string;
  options: readonly { id: number; name: string; group: string }[];
}

/** Boxes under the names of their groups: tags, skills. */
export function GroupedTicks({ name, options }: Props) {
  const { values, change } = useApiForm();
  const chosen = values[name] as number[];
  return [...Map.groupBy(options, ({ group }) => group)].map(([group, own]) => (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a border.
    <div key={group} className="question" role="group" aria-label={group}>
      <strong>{group}</strong>
      <ChoiceRows columns="many">
        {own.map(({ id, name: label }) => (
          <ChoiceRow
            key={id}
            type="checkbox"
            id={`${name}-${id}`}
            name={name}
            label={label}
            checked={chosen.includes(id)}
            onChange={(isTicked) => change(name, isTicked ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
        ))}
      </ChoiceRows>
    </div>
  ));
}
