import { useState } from 'preact/hooks';
import { dollarsFor } from '../../../../../layers/openapi/model-apis/cases.ts';
import { TextField } from '../../../kit/form.tsx';
import { numbered } from '../../../kit/words.ts';

/** A model of a vendor and the person's key, which are in memory until the page is left. */
export const useModel = () => {
  const [model, setModel] = useState('');
  const [key, setKey] = useState('');
  const [price, setPrice] = useState('');
  const isReady = model.trim() !== '' && key.trim() !== '';
  const fields = { model, setModel, key, setKey, price, setPrice };
  return { model: model.trim(), key: key.trim(), price, isReady, fields };
};

export const ModelFields = ({
  of: { model, setModel, key, setKey, price, setPrice },
}: {
  readonly of: ReturnType<typeof useModel>['fields'];
}) => (
  <div class="columns three">
    <TextField
      label="Model"
      hint="As the vendor names it"
      value={model}
      onValue={setModel}
      autocomplete="off"
    />
    <TextField
      label="Your key"
      hint="Forgotten with this page"
      type="password"
      value={key}
      onValue={setKey}
      autocomplete="off"
    />
    <TextField
      label="Price"
      hint="If you like: dollars for a million tokens sent and received, as 3/15"
      value={price}
      onValue={setPrice}
      autocomplete="off"
    />
  </div>
);

export const Used = ({
  sent,
  received,
  price,
}: {
  readonly sent: number;
  readonly received: number;
  readonly price: string;
}) => {
  const dollars = dollarsFor(price, sent, received);
  return (
    <p class="small soft">
      {numbered(sent)} tokens in, {numbered(received)} out.
      {dollars !== undefined && ` That is $${dollars.toFixed(4)}.`}
    </p>
  );
};
