/** Types alone: its own client would not fit into the size, and has none of the rules on what may be sent again. */
export default {
  input: '../openapi.json',
  output: { path: 'src/generated', indexFile: false },
  plugins: ['@hey-api/typescript'],
  logs: { file: false },
};
