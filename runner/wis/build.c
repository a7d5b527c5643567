// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * build.c - compiling a testcase into a library, once: what was built is kept in the user's cache
 * under a name that holds a hash of all that goes into it, which is the text after preprocessing,
 * the compiler with its flags, and glue.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/check.h"
#include "runner/version.h"
#include "runner/wis/parts.h"

#define WORDS_MAX 64

/* -O2 as will-it-scale's own Makefile has it. Warnings are the author's affair. */
#define FLAGS "-O2", "-g", "-w", "-fPIC", "-fvisibility=hidden", "-pthread"
/* Names that the testcase calls and glue.c puts something before. */
#define WIS_WRAPPED "-Wl,--wrap=mkstemp,--wrap=mkostemp,--wrap=mkstemps,--wrap=mkdtemp"

/* Of a file in memory, or of a program's output. */
struct text {
	char *at;
	size_t bytes;
};

/* FNV-1a, 64 bits: Fowler, Noll, Vo, 1991. */
static uint64_t hash(uint64_t so_far, const void *data, size_t bytes)
{
	const unsigned char *at = data;

	for (size_t i = 0; i < bytes; i++)
		so_far = (so_far ^ at[i]) * 0x100000001b3ULL;
	return so_far;
}

#define HASH_START 0xcbf29ce484222325ULL

static int read_all(int file, struct text *text)
{
	struct stat status;
	size_t done = 0;

	if (fstat(file, &status) != 0)
		return -1;
	text->at = malloc((size_t)status.st_size + 1);
	CHECK(text->at);
	while (done < (size_t)status.st_size) {
		ssize_t got =
			pread(file, text->at + done, (size_t)status.st_size - done, (off_t)done);

		if (got < 0 && errno != EINTR)
			return -1;
		if (got == 0)
			break;
		done += got > 0 ? (size_t)got : 0;
	}
	text->at[done] = '\0';
	text->bytes = done;
	return 0;
}

static int hash_file(const char *path, uint64_t *value, struct error *error)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct text text = { .at = NULL };
	int result = file < 0 ? -1 : read_all(file, &text);

	if (result != 0)
		error_set(error, "%s: %s", path, strerror(errno));
	else
		*value = hash(HASH_START, text.at, text.bytes);
	free(text.at);
	if (file >= 0)
		close(file);
	return result;
}

static __attribute__((noreturn)) void become(char **words, int in, int out, int err)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	setenv("LC_ALL", "C", 1); /* its complaints become part of a line of plain ASCII */
	execvp(words[0], words);
	dprintf(err, "%s: %s\n", words[0], strerror(errno));
	_exit(127);
}

/* Runs a program with `in` as its input; 0 when it ended well. The caller frees both texts. */
static int run(char **words, const char *in, struct text *out, struct text *err)
{
	int files[3];
	int status = -1;
	pid_t pid;

	*out = *err = (struct text){ .at = NULL };
	for (unsigned int i = 0; i < 3; i++) {
		files[i] = memfd_create("wis", MFD_CLOEXEC);
		CHECK(files[i] >= 0);
	}
	if (in && write(files[0], in, strlen(in)) == (ssize_t)strlen(in))
		lseek(files[0], 0, SEEK_SET);
	pid = fork();
	if (pid == 0)
		become(words, files[0], files[1], files[2]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	read_all(files[1], out);
	read_all(files[2], err);
	for (unsigned int i = 0; i < 3; i++)
		close(files[i]);
	return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

/* The compiler's name may be of several words ("ccache gcc"): `text` is cut up for them. */
static unsigned int add_words(char **words, char *text)
{
	unsigned int count = 0;
	char *rest = text;

	for (char *word; count < WORDS_MAX / 2 && (word = strsep(&rest, " "));)
		if (*word)
			words[count++] = word;
	return count;
}

/* Runs the compiler with these further words, which end with NULL. */
static int compile(const char *const *more, const char *in, struct text *out, struct text *err)
{
	const char *given = getenv("CC");
	char *name = strdup(given && *given ? given : wis_compiler);
	char *words[WORDS_MAX];
	unsigned int count;
	int result;

	CHECK(name);
	count = add_words(words, name);
	for (; *more && count < WORDS_MAX - 1; more++)
		words[count++] = (char *)*more;
	words[count] = NULL;
	result = run(words, in, out, err);
	free(name);
	return result;
}

/* The line that says what is wrong: compilers and linkers say much before and behind it. */
static int first_error(const struct wis_file *file, struct text *err, struct error *error)
{
	static const char *const marks[] = { "error: ", "undefined reference" };
	char *rest = err->at, *first = NULL, *found = NULL;
	char *cut;

	for (char *line; !found && (line = strsep(&rest, "\n"));) {
		if (!first && *line)
			first = line;
		for (unsigned int i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
			if (strstr(line, marks[i]))
				found = line;
	}
	if (!found)
		found = first ? first : "the compiler gave no reason";
	cut = strstr(found, "error: ");
	/* Before that stands where: the line and column, behind a name that is said already. */
	if (cut && strncmp(found, file->source, strlen(file->source)) == 0)
		found += strlen(file->source) + 1;
	return error_set(error, "%s does not compile: %.300s", file->source, found);
}

/* Of all that the library depends on. */
static int key_of(struct wis_file *file, uint64_t *key, struct error *error)
{
	static const char *const version[] = { "--version", NULL };
	const char *const preprocess[] = { FLAGS, "-E", file->source, NULL };
	static const char flags[] = WIS_WRAPPED VERSION;
	struct text out, err;
	int result;

	if (compile(version, NULL, &out, &err) != 0) {
		error_set(error, "no compiler: %.*s: install one, or name it by CC=...",
			  (int)strcspn(err.at, "\n"), err.at);
		free(out.at);
		free(err.at);
		return -1;
	}
	*key = hash(hash(HASH_START, flags, sizeof(flags)), wis_glue, strlen(wis_glue));
	*key = hash(*key, out.at, out.bytes);
	free(out.at);
	free(err.at);
	result = compile(preprocess, NULL, &out, &err);
	if (result == 0)
		*key = hash(*key, out.at, out.bytes);
	else
		first_error(file, &err, error);
	free(out.at);
	free(err.at);
	return result;
}

static int make_folder(char *path, struct error *error)
{
	for (char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
		if (slash)
			*slash = '\0';
		if (mkdir(path, 0700) != 0 && errno != EEXIST)
			return error_set(error,
					 "cannot make %s: %s: set XDG_CACHE_HOME to a "
					 "folder that can be written",
					 path, strerror(errno));
		if (!slash)
			return 0;
		*slash = '/';
	}
}

static int cache_folder(char *path, size_t size, struct error *error)
{
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (cache && *cache == '/')
		snprintf(path, size, "%s/will-it-batch", cache);
	else if (home && *home == '/')
		snprintf(path, size, "%s/.cache/will-it-batch", home);
	else
		return error_set(error, "no folder for what is built: set XDG_CACHE_HOME");
	return make_folder(path, error);
}

int wis_build(struct wis_file *file, struct error *error)
{
	char folder[PATH_MAX], path[PATH_MAX + 300], new[PATH_MAX + 320];
	const char *const words[] = { FLAGS, "-shared", WIS_WRAPPED,  "-Wl,-z,defs",
				      "-o",  new,	file->source, "-x",
				      "c",   "-",	NULL };
	struct text out, err;
	uint64_t key = 0;
	int result = 0;

	if (hash_file(file->source ? file->source : file->library, &file->hash, error) != 0)
		return -1;
	if (!file->source)
		return 0;
	if (cache_folder(folder, sizeof(folder), error) != 0 || key_of(file, &key, error) != 0)
		return -1;
	snprintf(path, sizeof(path), "%s/%.200s-%016llx.so", folder, file->name,
		 (unsigned long long)key);
	file->library = strdup(path);
	CHECK(file->library);
	if (access(path, R_OK) == 0)
		return 0;
	/* Renamed when it is whole: another runner may be looking for the same. */
	snprintf(new, sizeof(new), "%s.%d", path, (int)getpid());
	if (compile(words, wis_glue, &out, &err) != 0)
		result = first_error(file, &err, error);
	else if (rename(new, path) != 0)
		result = error_set(error, "cannot rename %s: %s", new, strerror(errno));
	if (result != 0)
		unlink(new);
	free(out.at);
	free(err.at);
	return result;
}
