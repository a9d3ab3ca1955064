import { useId } from 'react';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { Grid, Row } from '#kit/browser/ui/Layout.tsx';
import styles from './IdsField.module.css';

interface Props {
  name: string;
  legend: string;
  options: readonly { id: number; name: string; isActive: boolean }[];
}

/** Boxes for some records, of which the field has the ids; inactive records only where they are chosen. */
export function IdsField({ name, legend, options }: Props) {
  const { values, change, errors } = useApiForm();
  const id = useId();
  const chosen = values[name] as number[];
  const toggle = (option: number, isChosen: boolean) =>
    change(name, isChosen ? [...chosen, option] : chosen.filter((other) => other !== option));
  return (
    <fieldset className="question" aria-describedby={errors[name] && `${id}-error`}>
      <legend>{legend}</legend>
      <ErrorText id={`${id}-error`} error={errors[name]} />
      <Grid gap="2 12" className={styles.options}>
        {options
          .filter(({ id, isActive }) => isActive || chosen.includes(id))
          .map((option, place) => (
            <Row as="label" gap={8} align="center" key={option.id}>
              <input
                type="checkbox"
                id={place === 0 ? name : undefined}
                name={name}
                checked={chosen.includes(option.id)}
                onChange={(event) => toggle(option.id, event.currentTarget.checked)}
              />{' '}
              {option.name}
            </Row>
          ))}
      </Grid>
    </fieldset>
  );
}
