import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

/** Does in Node what shim.c does below it, where there is no C compiler: makes the nth call of one kind inside one folder go wrong. */
const {
  FAULT_DIR: folder = "",
  FAULT_CALL: wanted,
  FAULT_N: number,
  FAULT_KIND: kind,
  FAULT_MARK: markFile,
} = process.env;
const { openSync, closeSync } = fs;
const opened = new Map();
let seen = 0;

const isInside = (path) => join(realFolder(`${path}`)).startsWith(folder);
/** A folder that is held open has another name, by which it is written to. */
const realFolder = (path) => path.replace(/^\/proc\/self\/fd\/\d+/, (held) => fs.readlinkSync(held));
const isDue = (call, inside) => {
  if (call !== wanted || !inside || ++seen !== Number(number)) return false;
  if (markFile) closeSync(openSync(markFile, "a"));
  return true;
};
const die = () => {
  process.kill(process.pid, "SIGKILL");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
const strike = () => {
  if (kind === "kill") die();
  if (kind === "short" || kind === "torn") return;
  throw Object.assign(new Error(`${kind}: injected`), { code: kind });
};

fs.openSync = (path, ...rest) => {
  if (isDue("open", isInside(path))) strike();
  const fd = openSync(path, ...rest);
  opened.set(fd, isInside(path));
  return fd;
};
const { open } = fs;
fs.open = (path, flags, done) => {
  try {
    if (isDue("open", isInside(path))) strike();
  } catch (error) {
    return void setImmediate(done, error);
  }
  open(path, flags, (error, fd) => {
    if (error === null) opened.set(fd, isInside(path));
    done(error, fd);
  });
};
const { writeSync } = fs;
fs.writeSync = (fd, bytes, offset = 0, length = bytes.length - offset, position = null) => {
  if (!isDue("write", opened.get(fd))) return writeSync(fd, bytes, offset, length, position);
  strike();
  const done = writeSync(fd, bytes, offset, length > 1 ? Math.floor(length / 2) : length, position);
  if (kind === "torn") die();
  return done;
};
for (const [call, name] of [
  ["fsync", "fsyncSync"],
  ["fsync", "fdatasyncSync"],
  ["read", "readSync"],
  ["futimens", "futimesSync"],
]) {
  const real = fs[name];
  fs[name] = (fd, ...rest) => {
    if (isDue(call, opened.get(fd))) strike();
    return real(fd, ...rest);
  };
}
for (const [call, name] of [
  ["mkdir", "mkdirSync"],
  ["unlink", "unlinkSync"],
  ["unlink", "rmSync"],
]) {
  const real = fs[name];
  fs[name] = (path, ...rest) => {
    if (isDue(call, isInside(path))) strike();
    return real(path, ...rest);
  };
}
for (const [call, name] of [
  ["rename", "renameSync"],
  ["link", "linkSync"],
]) {
  const real = fs[name];
  fs[name] = (from, to) => {
    if (isDue(call, isInside(to))) strike();
    return real(from, to);
  };
}
const { ftruncateSync } = fs;
fs.ftruncateSync = (fd, length) => {
  if (isDue("ftruncate", opened.get(fd))) strike();
  return ftruncateSync(fd, length);
};
syncBuiltinESMExports();
